import type { Barcode } from "passkit-generator";
import { formatCode } from "@/server/credentials/code";
import { scanUrl } from "@/server/credentials/view";
import type { PassFacts } from "../load-pass-facts";
import { barcodeValue } from "../barcode-value";

const formats = { code39: "PKBarcodeFormatCode39", codabar: "PKBarcodeFormatCodabar" } as const;

/**
 * The barcodes of a pass, the first choice first: a phone shows the first that it knows (Code 39 and Codabar: iOS 27).
 * None unless the credential is valid.
 */
export function barcodesOf(facts: PassFacts): Barcode[] {
  const { verification, evidence } = facts;
  if (verification.result !== "valid") return [];
  const own = barcodeValue(facts);
  return [
    ...(own ? [barcode(formats[own.format], own.value, own.value)] : []),
    barcode("PKBarcodeFormatQR", scanUrl(evidence.code), formatCode(evidence.code)),
  ];
}

const barcode = (format: Barcode["format"], message: string, altText: string): Barcode => ({
  format,
  message,
  altText,
  messageEncoding: "iso-8859-1",
});
