/** A part of a QR code's text in one mode (ISO/IEC 18004, 7.4), in the format of the package qrcode. */
type QrSegment = { mode: "alphanumeric"; data: string } | { mode: "byte"; data: Uint8Array };

/**
 * Splits the text of a QR code into modes: capitals and digits in the alphanumeric mode, which is denser, and a #
 * between them as a byte. The modes are given, because finding the best ones takes as long as drawing.
 */
export function qrSegments(text: string): QrSegment[] {
  const parts = text.split(/(#)/);
  if (!parts.every((part) => part === "#" || isAlphanumeric(part))) return [bytes(text)];
  return parts
    .filter((data) => data !== "")
    .map((data) => (data === "#" ? bytes(data) : { mode: "alphanumeric", data }));
}

const bytes = (text: string): QrSegment => ({ mode: "byte", data: new TextEncoder().encode(text) });
const isAlphanumeric = (text: string) => /^[0-9A-Z $%*+\-./:]*$/.test(text);
