import sharp, { type Sharp } from "sharp";
import { escaped, issuerMark, readableOn, type Colors } from "./badge";

/** The sources of a wallet pass's pictures. */
export interface PassPictures {
  colors: Colors;
  /** The template's logo, as a file. */
  logo: Uint8Array | null;
  /** The background picture of the card, as a file. */
  background: Uint8Array | null;
  /** The holder's photo, as a file. */
  photo: Uint8Array | null;
}

const maxPixels = 16_000_000;
const scales = [2, 3] as const;
type Scale = (typeof scales)[number];

/** Draws the pictures of a pass as PNG files, by name. A logo or background that cannot be read is left out, as on the card. */
export async function drawPassImages(from: PassPictures): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const scale of scales) {
    const add = async (name: string, picture: Promise<Uint8Array | null>) => {
      const bytes = await picture;
      if (bytes) files[`${name}@${scale}x.png`] = bytes;
    };
    await add("icon", icon(from, scale));
    await add("artwork", artwork(from, scale));
    if (from.logo) {
      await add("logo", fitted(from.logo, 160 * scale, 50 * scale));
      await add("primaryLogo", fitted(from.logo, 126 * scale, 30 * scale));
    }
    if (from.photo) await add("thumbnail", fitted(from.photo, 90 * scale, 90 * scale));
  }
  // A phone refuses a pass without the icon in its plain size.
  return { "icon.png": await sharp(files["icon@2x.png"]).resize(29, 29).png().toBuffer(), ...files };
}

/** The icon of messages on the lock screen: the seal on the background colour. */
async function icon({ colors }: PassPictures, scale: Scale): Promise<Uint8Array> {
  const side = 29 * scale;
  return png(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 80 80" width="${side}" height="${side}">
<rect x="-8" y="-8" width="80" height="80" fill="${escaped(colors.background)}"/>${issuerMark(escaped(colors.accent), readableOn(colors.accent))}</svg>`);
}

/** The background of a poster: the card's background picture, or a guilloche in its colours. */
async function artwork({ colors, background }: PassPictures, scale: Scale): Promise<Uint8Array> {
  const [width, height] = [358 * scale, 448 * scale];
  const own =
    background &&
    (await read(background, (picture) => picture.resize(width, height, { fit: "cover" }).png().toBuffer()));
  const lines = Array.from(
    { length: 36 },
    (_, turn) => `<ellipse cx="300" cy="90" rx="330" ry="120" transform="rotate(${turn * 5} 300 90)"/>`,
  ).join("");
  return (
    own ??
    png(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 358 448" width="${width}" height="${height}">
<rect width="358" height="448" fill="${escaped(colors.background)}"/><g fill="none" stroke="${escaped(colors.accent)}" stroke-width="0.6" opacity="0.25">${lines}</g></svg>`)
  );
}

const fitted = (bytes: Uint8Array, width: number, height: number) =>
  read(bytes, (picture) => picture.resize(width, height, { fit: "inside" }).png({ compressionLevel: 9 }).toBuffer());

async function read(bytes: Uint8Array, make: (picture: Sharp) => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await make(sharp(bytes, { limitInputPixels: maxPixels }).rotate());
  } catch {
    return null;
  }
}

// A palette of few colours makes the file a quarter as large, which a phone loads over its own network.
const png = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
