import { SaxesParser } from "saxes";
import sharp from "sharp";

/** The limits of a picture, in bytes and pixels. */
export interface PictureBounds {
  maxPixels: number;
  minSide: number;
  /** The side of the square that it is fitted into. */
  side: number;
}

/** A picture as PNG, or an error that follows the words "The picture". */
export type Picture = { png: Uint8Array } | { unfit: string } | { unreadable: true };

/**
 * Elements of an SVG that are drawn without fonts, scripts and other files. Without `use`, which can repeat elements
 * exponentially.
 */
const drawn = new Set(
  "svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc metadata style symbol".split(
    " ",
  ),
);
const maxElements = 5_000;
const maxDepth = 32;

/**
 * Re-encodes a PNG or SVG as a PNG of a square: fitted in whole, on a transparent ground, without metadata. An SVG is
 * drawn from plain shapes alone, so what it looks like depends on nothing outside of it.
 */
export async function readPicture(bytes: Uint8Array, bounds: PictureBounds): Promise<Picture> {
  const isPng = Buffer.from(bytes.subarray(0, 8)).toString("latin1") === "\x89PNG\r\n\x1a\n";
  const unfit = isPng ? null : unfitSvg(Buffer.from(bytes).toString("utf8"));
  if (unfit) return unfit;
  try {
    const open = () => sharp(bytes, { limitInputPixels: bounds.maxPixels, failOn: "error" });
    const { width = 0, height = 0 } = await open().metadata();
    if (isPng && Math.min(width, height) < bounds.minSide)
      return {
        unfit: `is too small: ${width} × ${height} pixels; it must be at least ${bounds.minSide} wide and high`,
      };
    // An SVG is rendered at the stored size, whatever size it states.
    const density = isPng ? 72 : Math.min(2400, Math.max(1, (72 * bounds.side) / Math.max(1, width, height)));
    const png = await sharp(bytes, { limitInputPixels: bounds.maxPixels, failOn: "error", density })
      .resize(bounds.side, bounds.side, { fit: "contain", background: "#00000000" })
      .toColourspace("srgb")
      .png({ compressionLevel: 9 })
      .toBuffer();
    return { png };
  } catch (error) {
    if (error instanceof Error && /pixel limit/i.test(error.message))
      return { unfit: `has more than ${bounds.maxPixels / 1_000_000} million pixels` };
    return { unreadable: true };
  }
}

/** Returns why an SVG is refused; null if it is not. */
function unfitSvg(svg: string): Picture | null {
  const found: string[] = [];
  let depth = 0;
  let elements = 0;
  let style = "";
  const parser = new SaxesParser({ xmlns: true });
  const refuse = (what: string) => {
    found.push(what);
    throw new Error(what);
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => refuse("has a document type, which could make it grow without end"));
  parser.on("opentag", ({ local, uri, attributes }) => {
    if (depth === 0 && local !== "svg") refuse("is not an SVG");
    if (++elements > maxElements || ++depth > maxDepth) refuse("is too complex; simplify it or send a PNG");
    // Programs store notes in their own namespaces, which nobody draws.
    if (uri !== "" && uri !== "http://www.w3.org/2000/svg") return;
    if (local === "text" || local === "tspan") refuse("has text; convert text to outlines (paths), or send a PNG");
    if (!drawn.has(local)) refuse(`has the element ${local}, which is not drawn here; send a PNG`);
    for (const { local: name, value } of Object.values(attributes))
      if (name === "href" || reachesOut(value)) refuse("refers to something outside of it; send a PNG");
  });
  parser.on("text", (text) => (style += text));
  parser.on("cdata", (text) => (style += text));
  parser.on("closetag", ({ local }) => {
    depth--;
    if (local === "style" && reachesOut(style)) refuse("refers to something outside of it; send a PNG");
    style = "";
  });
  try {
    parser.write(svg).close();
    return elements === 0 ? { unreadable: true } : null;
  } catch {
    return found[0] ? { unfit: found[0] } : { unreadable: true };
  }
}

/** Whether a value refers to anything but an element of the same picture. */
const reachesOut = (value: string) => /@import|url\(\s*["']?(?!#)/i.test(value);
