import { openDetector } from "./open-detector";

/**
 * Returns the texts of the QR codes in a picture, and closes the picture. Rejects if the decoder could not be loaded.
 */
export async function readPicture(picture: ImageBitmap): Promise<string[]> {
  try {
    const detector = await openDetector();
    return (await detector.detect(picture)).map(({ rawValue }) => rawValue);
  } finally {
    picture.close();
  }
}
