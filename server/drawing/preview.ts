import { builtInWord } from "@/server/core/built-in-words";
import { escaped, issuerMark, readableOn, type Colors } from "./badge";
import { fitLines, lineHeight } from "./fit-lines";
import type { Logo } from "./given-pictures";
import { heightOf, outlineOf } from "./outline";

/** The content of a preview of a public page. */
export interface PreviewText {
  title: string;
  issuer: string;
  /** "" if the page names nobody. */
  holder: string;
  language: string;
  colors: Colors;
  /** The template's logo, a data URL of PNG, JPEG or WebP; without it, a seal is drawn. */
  logo: string | null;
  /** The picture behind everything, a data URL of PNG, JPEG or WebP. */
  background: string | null;
  font: "inter" | "serif";
  /**
   * How it ended, e.g. "Revoked"; null while it has not ended. Chats keep a picture for a long time, so nothing is
   * drawn that may become false.
   */
  end: string | null;
}

/** Width and height of a preview, in pixels: what Open Graph asks for. */
export const previewSize = { width: 1200, height: 630 };

/** The largest size of the logo on a preview, in pixels. */
export const logoBox = { width: 240, height: 72 };

/** Draws the preview that other sites show next to a link to a public page. */
export function drawPreview(
  { title, issuer, holder, language, colors, font, end }: Omit<PreviewText, "logo" | "background">,
  logo: Logo | null,
  picture: Buffer | null,
): string {
  const { width, height } = previewSize;
  const { background, foreground, accent } = colors;
  const sans = { style: font === "inter" ? "inter" : "sans", language } as const;
  const left = logo ? 80 + logo.width + 24 : 160;
  const from = fitLines(issuer, { ...sans, weight: 700, width: 1120 - left, height: 70, largest: 34, smallest: 18 });
  const name = fitLines(title, {
    style: font,
    language,
    weight: 700,
    width: 1040,
    height: 210,
    largest: 76,
    smallest: 30,
  });
  const who = fitLines(holder, { ...sans, weight: 400, width: 1040, height: 58, largest: 42, smallest: 18 });
  const word = fitLines(end ?? builtInWord("Open the link to see whether it is valid", language), {
    ...sans,
    weight: 700,
    width: end ? 460 : 1040,
    height: 40,
    largest: end ? 32 : 26,
    smallest: 16,
  });
  const wide = word.lines[0]!.width + 56;
  const titleTop = 290 - heightOf(name) / 2;
  const at = (top: number, size: number) => top + size * 0.84 - (size * (lineHeight - 1)) / 4;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="${background}"/>
${
  picture
    ? pictureOf(picture)
    : `<g fill="none" stroke="${accent}" stroke-width="1" opacity="0.16">${Array.from({ length: 36 }, (_, turn) => `<ellipse cx="1040" cy="90" rx="520" ry="190" transform="rotate(${turn * 5} 1040 90)"/>`).join("")}</g>
<rect width="${width}" height="14" fill="${accent}"/>`
}
${markOf(logo, accent)}
<path fill="${foreground}" d="${outlineOf(from, { x: left, y: at(94 - heightOf(from) / 2, from.size), align: "left" })}"/>
<path fill="${foreground}" d="${outlineOf(name, { x: 80, y: at(titleTop, name.size), align: "left" })}"/>
<path fill="${foreground}" opacity="0.85" d="${outlineOf(who, { x: 80, y: at(titleTop + heightOf(name) + 28, who.size), align: "left" })}"/>
${
  end
    ? `<rect x="80" y="520" width="${wide}" height="60" rx="30" fill="#b3261e"/>
<path fill="#ffffff" d="${outlineOf(word, { x: 80 + wide / 2, y: at(550 - heightOf(word) / 2, word.size) })}"/>`
    : `<path fill="${foreground}" opacity="0.85" d="${outlineOf(word, { x: 80, y: at(550 - heightOf(word) / 2, word.size), align: "left" })}"/>`
}
</svg>`;
}

const pictureOf = (jpeg: Buffer) =>
  `<image width="${previewSize.width}" height="${previewSize.height}" href="data:image/jpeg;base64,${jpeg.toString("base64")}"/>`;

/** The logo to the left of the issuer's name, or the seal in the accent colour. */
function markOf(logo: Logo | null, accent: string): string {
  if (logo)
    return `<image x="80" y="${94 - logo.height / 2}" width="${logo.width}" height="${logo.height}" href="data:image/png;base64,${Buffer.from(logo.png).toString("base64")}"/>`;
  return `<g transform="translate(78 62)">${issuerMark(accent, readableOn(accent))}</g>`;
}
