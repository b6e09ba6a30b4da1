import type { barcodeFormats } from "@/server/templates/design";
import type { PassFacts } from "./load-pass-facts";

/** The values that each format can encode. Codabar begins and ends with one of A, B, C and D, which may be left out here. */
const forms: Record<(typeof barcodeFormats)[number], RegExp> = {
  code39: /^[0-9A-Z \-.$/+%]{1,40}$/,
  codabar: /^[ABCD]?[0-9\-$:/.+]{1,40}[ABCD]?$/,
};

/** The template's barcode with the holder's value; null if the template has none, or the value does not fit its format. */
export function barcodeValue({ design, verification }: PassFacts) {
  const asked = design.wallet?.barcode;
  const field = verification.credential.fields.find(({ key }) => key === asked?.field);
  if (!asked || (typeof field?.value !== "string" && typeof field?.value !== "number")) return null;
  const value = String(field.value).trim().toUpperCase();
  if (!forms[asked.format].test(value)) return null;
  return { format: asked.format, value: asked.format === "codabar" ? withStartAndStop(value) : value };
}

const withStartAndStop = (value: string) => (/^[ABCD].*[ABCD]$/.test(value) ? value : `A${value}B`);
