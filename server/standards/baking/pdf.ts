import { inflateSync } from "node:zlib";
import { Invalid } from "../failure";

/** The most attachments that are looked at, and the most bytes of the dictionary of one. */
const maxAttachments = 20;
const maxDictionary = 4096;
/** The most bytes of a credential. */
const maxCredential = 1_450_000;

/** Whether the bytes begin as a PDF file does. */
export const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";

/**
 * Reads the signed credential that is attached to a PDF, as in a certificate of this service. The file is searched for
 * the streams of attachments and not parsed otherwise, so that a hostile file costs no more than its size. This works
 * because a stream is always a separate object (ISO 32000-2, 7.3.8), even after a program has saved the file again.
 *
 * @throws Invalid unless there is exactly one
 */
export function readAttachedPdf(bytes: Uint8Array): string {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = new Set<string>();
  for (const text of attachmentsOf(pdf)) if (isCredential(text)) found.add(text);
  if (found.size > 1) throw new Invalid("More than one signed credential is attached to this PDF.");
  const [credential] = found;
  if (credential === undefined)
    throw new Invalid(
      "No signed credential is attached to this PDF. Perhaps it was printed or scanned, which removes it. Enter the certificate number that stands on it, scan its QR code, or choose the file credential.json.",
    );
  return credential;
}

function* attachmentsOf(pdf: Buffer): Iterable<string> {
  let at = 0;
  for (let seen = 0; seen < maxAttachments; ) {
    at = pdf.indexOf("/EmbeddedFile", at);
    if (at === -1) return;
    at += "/EmbeddedFile".length;
    // The name tree of attachments is called EmbeddedFiles.
    if (/^\w/.test(String.fromCharCode(pdf[at] ?? 0))) continue;
    seen += 1;
    const text = attachmentAt(pdf, at);
    if (text !== null) yield text;
  }
}

/** The text of the attachment in whose dictionary `at` lies; null if it cannot be read. */
function attachmentAt(pdf: Buffer, at: number): string | null {
  const before = pdf.subarray(Math.max(0, at - maxDictionary), at).toString("latin1");
  const after = pdf.subarray(at, at + maxDictionary).toString("latin1");
  const stream = /\bstream\r?\n/.exec(after);
  if (!stream || after.slice(0, stream.index).includes("endobj")) return null;
  const dictionary = before.slice(before.lastIndexOf(" obj") + 1) + after.slice(0, stream.index);
  const from = at + stream.index + stream[0].length;
  // A length may be the number of another object, 12 0 R: then the keyword ends the stream.
  const length = /\/Length\s+(\d+)(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1];
  const end = length === undefined ? pdf.indexOf("endstream", from) : from + Number(length);
  if (end < from || end > pdf.length) return null;
  return textOf(pdf.subarray(from, end), /\/Filter\s*\[?\s*\/(\w+)/.exec(dictionary)?.[1]);
}

function textOf(content: Buffer, filter: string | undefined): string | null {
  if (filter !== undefined && filter !== "FlateDecode") return null;
  try {
    const plain = filter ? inflateSync(content, { maxOutputLength: maxCredential }) : content;
    return plain.length > maxCredential ? null : new TextDecoder("utf-8", { fatal: true }).decode(plain).trim();
  } catch {
    return null;
  }
}

/** Attachments of other kinds, such as the data of an invoice, are left aside. */
function isCredential(text: string): boolean {
  if (/^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text)) return true;
  try {
    const document = JSON.parse(text) as { type?: unknown } | null;
    return typeof document === "object" && [document?.type].flat().includes("VerifiableCredential");
  } catch {
    return false;
  }
}
