import type { barcodeFormats } from "@/server/templates/design";
import type { PassFacts } from "./load-pass-facts";

/** What each format can hold. Codabar has its start and stop characters around the digits. */
const forms: Record<(typeof barcodeFormats)[number], RegExp> = {
  code39: /^[0-9A-Z \-.$/+%]{1,40}$/,
  codabar: /^[ABCD]?[0-9\-$:/.+]{1,40}[ABCD]?$/,
};

/** The barcode that the template asks for, with the holder's value; null where there is none that fits the format. */
export function barcodeValue({ design, verification }: PassFacts) {
  const asked = design.wallet?.barcode;
  const field = verification.credential.fields.find(({ key }) => key === asked?.field);
  if (!asked || (typeof field?.value !== "string" && typeof field?.value !== "number")) return null;
  const value = String(field.value).trim().toUpperCase();
  if (!forms[asked.format].test(value)) return null;
  return { format: asked.format, value: asked.format === "codabar" ? withStartAndStop(value) : value };
}

const withStartAndStop = (value: string) => (/^[ABCD].*[ABCD]$/.test(value) ? value : `A${value}B`);
