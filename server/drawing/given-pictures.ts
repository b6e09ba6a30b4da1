import sharp, { type Sharp } from "sharp";

const maxPixels = 16_000_000;

/** A logo as PNG, with its size in pixels. */
export interface Logo {
  png: Uint8Array;
  width: number;
  height: number;
}

/**
 * Reads the logo of a design, a data URL, fitted into a box; null if it cannot be read, in which case the card omits it
 * too.
 */
export function logoWithin(url: string, box: { width: number; height: number }): Promise<Logo | null> {
  return read(url, async (picture) => {
    const { data, info } = await picture
      .resize(box.width, box.height, { fit: "inside" })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  });
}

/** Reads the background picture of a design, a data URL, so that it fills a page; null if it cannot be read. */
export function pictureBehind(url: string, page: { width: number; height: number }): Promise<Buffer | null> {
  return read(url, (picture) =>
    picture
      .resize(page.width, page.height, { fit: "cover" })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 85 })
      .toBuffer(),
  );
}

async function read<T>(url: string, make: (picture: Sharp) => Promise<T>): Promise<T | null> {
  try {
    const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
    return await make(sharp(bytes, { limitInputPixels: maxPixels }).rotate());
  } catch {
    return null;
  }
}
