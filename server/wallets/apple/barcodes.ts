import type { Barcode } from "passkit-generator";
import { formatCode } from "@/server/credentials/code";
import type { PassFacts } from "../load-pass-facts";
import { barcodeValue } from "../barcode-value";

const formats = { code39: "PKBarcodeFormatCode39", codabar: "PKBarcodeFormatCodabar" } as const;

/**
 * Returns the barcodes of a pass in order of preference; empty unless the credential is valid. A phone shows the first
 * barcode whose format it supports: Code 39 and Codabar need iOS 27, so the QR code follows as a fallback.
 */
export function barcodesOf(facts: PassFacts): Barcode[] {
  const { verification, evidence } = facts;
  if (verification.result !== "valid") return [];
  const own = barcodeValue(facts);
  return [
    ...(own ? [barcode(formats[own.format], own.value, own.value)] : []),
    barcode("PKBarcodeFormatQR", facts.scanText, formatCode(evidence.code)),
  ];
}

const barcode = (format: Barcode["format"], message: string, altText: string): Barcode => ({
  format,
  message,
  altText,
  messageEncoding: "iso-8859-1",
});
