import { readScan } from "@/server/verification/read-scan";
import { isHeic } from "@/components/heic";
import { readPicture } from "./read-picture";

/** What a file that somebody chose holds. */
export type FileContent =
  /** The text of a QR code, or a code or link. */
  | { kind: "text"; text: string }
  /** Several QR codes that differ. */
  | { kind: "several" }
  /** A picture that this browser cannot read. */
  | { kind: "heic" }
  /** Nothing that is found here: the service looks into it. */
  | { kind: "file"; isPicture: boolean };

/** The most bytes of a text that holds nothing but a code or a link. */
const shortText = 2_000;

/**
 * Looks into a file for a QR code in a picture, or a code or link as text. A picture into which a badge is baked is
 * the badge, whatever it shows.
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

/** Whether the keyword of a baked badge is anywhere in a file (Open Badges 3.0, section 5.3; 2.0 has the same beginning). */
function holdsBadge(bytes: ArrayBuffer): boolean {
  return new TextDecoder("latin1").decode(bytes).includes("openbadge");
}
