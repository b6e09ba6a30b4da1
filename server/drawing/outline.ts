import { lineHeight, type Fitted, type Line } from "./fit-lines";

/** The position of lines: `x` is their middle, or their left end; `y` the first baseline. */
export interface Place {
  x: number;
  y: number;
  align?: "middle" | "left";
}

/** Returns the outlines of lines as the data of an SVG path, so that viewers need no font. */
export function outlineOf({ lines, size }: Fitted, { x, y, align = "middle" }: Place): string {
  return lines
    .map((line, index) =>
      lineOutline(line, size, align === "middle" ? x - line.width / 2 : x, y + index * size * lineHeight),
    )
    .join("");
}

function lineOutline({ runs }: Line, size: number, left: number, baseline: number): string {
  let outline = "";
  let x = left;
  for (const { glyphs, face } of runs) {
    const scale = size / face.font.unitsPerEm;
    for (const [index, glyph] of glyphs.glyphs.entries()) {
      const { xOffset, yOffset, xAdvance } = glyphs.positions[index]!;
      const moved = glyph.path.transform(scale, 0, 0, -scale, x + xOffset * scale, baseline - yOffset * scale);
      outline += moved.toSVG();
      x += xAdvance * scale;
    }
  }
  return outline;
}

/** Returns the height of lines, from the top of the first to the bottom of the last. */
export const heightOf = ({ lines, size }: Fitted): number => size * (1 + (lines.length - 1) * lineHeight);
