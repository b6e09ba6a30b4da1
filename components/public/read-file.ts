import { readScan } from "@/server/verification/read-scan";
import { isHeic } from "@/components/heic";
import { readPicture } from "./read-picture";

/** The content of a chosen file. */
export type FileContent =
  /** The text of a QR code, or a code or link. */
  | { kind: "text"; text: string }
  /** Several different QR codes. */
  | { kind: "several" }
  /** A picture that this browser cannot decode. */
  | { kind: "heic" }
  /** Nothing was found here; the service examines the file. */
  | { kind: "file"; isPicture: boolean };

/** The maximum size of a text that is nothing but a code or a link. */
const shortText = 2_000;

/**
 * Searches a file for a QR code in a picture, or for a code or link as text. A picture with a baked badge is treated as
 * the badge, whatever it shows.
 *
 * @throws if the scanner could not be loaded
 */
export async function readFile(file: File, ownHosts: string[]): Promise<FileContent> {
  const bytes = await file.arrayBuffer();
  if (holdsBadge(bytes)) return { kind: "file", isPicture: false };
  if (file.size <= shortText) {
    const text = new TextDecoder().decode(bytes);
    if (readScan(text, ownHosts).kind === "code") return { kind: "text", text };
  }
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return isHeic(file) ? { kind: "heic" } : { kind: "file", isPicture: false };
  const texts = new Set(await readPicture(picture));
  if (texts.size > 1) return { kind: "several" };
  const [text] = texts;
  return text === undefined ? { kind: "file", isPicture: true } : { kind: "text", text };
}

/**
 * Whether a file contains the keyword of a baked badge (Open Badges 3.0, section 5.3; the keyword of 2.0 begins the
 * same).
 */
function holdsBadge(bytes: ArrayBuffer): boolean {
  return new TextDecoder("latin1").decode(bytes).includes("openbadge");
}
