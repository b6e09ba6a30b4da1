import { openDetector } from "./open-detector";

/** The texts of the QR codes in a picture. Rejects where it is no picture, or the decoder cannot be had. */
export async function readPicture(file: Blob): Promise<string[]> {
  const [detector, picture] = await Promise.all([openDetector(), createImageBitmap(file)]);
  try {
    return (await detector.detect(picture)).map(({ rawValue }) => rawValue);
  } finally {
    picture.close();
  }
}
