import sharp, { type Sharp } from "sharp";

/** A picture of a pass in Google Wallet. */
export interface GooglePictureSource {
  name: GooglePictureName;
  /** The picture of the design, a data URL. */
  url: string;
  /** The background colour of the card. */
  background: string;
}

export type GooglePictureName = "logo" | "hero";

const maxPixels = 16_000_000;

/** What Google asks for, in pixels. */
const sizes = { logo: { width: 660, height: 660 }, hero: { width: 1032, height: 336 } };

/** Google cuts a circle out of the logo and asks for a margin of 15 % on each side. */
const logoShare = 0.7;

/**
 * Draws a picture as Google Wallet asks for it, as PNG: the logo on a square of the background colour, or the background
 * of the front as a strip. A picture that cannot be read leaves the background colour alone.
 */
export async function drawGooglePicture({ name, url, background }: GooglePictureSource): Promise<Uint8Array> {
  const { width, height } = sizes[name];
  const canvas = () => sharp({ create: { width, height, channels: 3, background } });
  const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  const given = sharp(bytes, { limitInputPixels: maxPixels }).rotate();
  try {
    const fitted = await fit(given, name).png().toBuffer();
    return await canvas()
      .composite([{ input: fitted, gravity: "centre" }])
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    return canvas().png({ compressionLevel: 9 }).toBuffer();
  }
}

function fit(picture: Sharp, name: GooglePictureName): Sharp {
  const { width, height } = sizes[name];
  return name === "logo"
    ? picture.resize(Math.round(width * logoShare), Math.round(height * logoShare), { fit: "inside" })
    : picture.resize(width, height, { fit: "cover" });
}
