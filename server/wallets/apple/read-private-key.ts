import { createPrivateKey, type KeyObject } from "node:crypto";
import type { InputIssue } from "@/server/core/errors";
import type { Caller } from "@/server/core/turns";
import { openPkcs12 } from "./sign-pass";

/**
 * Reads a private key: PEM, or base64 of DER (PKCS #8) or of a PKCS #12 file (.p12), each encrypted or not.
 *
 * @returns the key, or an issue that says whether the file or the passphrase is wrong
 */
export async function readPrivateKey(
  caller: Caller,
  { privateKey: text, passphrase = "" }: { privateKey: string; passphrase?: string | undefined },
): Promise<KeyObject | InputIssue> {
  const isPem = text.includes("-----BEGIN");
  const der = isPem ? Buffer.alloc(0) : Buffer.from(text, "base64");
  const kind = kindOf(der);
  const pem = isPem ? text : kind === "pkcs12" ? await openPkcs12(caller, { pkcs12: der, passphrase }) : null;
  try {
    if (pem !== null) return createPrivateKey({ key: pem, passphrase });
    if (kind === "pkcs8") return createPrivateKey({ key: der, format: "der", type: "pkcs8", passphrase });
  } catch {
    // The text says below what is wrong.
  }
  if (kind === "pkcs12" || /ENCRYPTED/.test(text)) return passphrase === "" ? noPassphrase : wrongPassphrase;
  return notAKey;
}

/** Tells a PKCS #12 file, whose first element is the version 3, from a key. */
function kindOf(der: Buffer): "pkcs12" | "pkcs8" {
  // A sequence, its length in one to three bytes or left open (BER), then the integer.
  return /^30(?:[0-7].|80|81..|82....)020103/s.test(der.subarray(0, 8).toString("hex")) ? "pkcs12" : "pkcs8";
}

const notAKey: InputIssue = {
  pointer: "/privateKey",
  code: "invalid_format",
  message:
    "is not a private key: choose the .key or .pem file that was made with the certificate request, or the .p12 file that Keychain Access exported",
};
const noPassphrase: InputIssue = {
  pointer: "/passphrase",
  code: "invalid_type",
  message: "is needed, because the private key is encrypted",
};
const wrongPassphrase: InputIssue = {
  pointer: "/passphrase",
  code: "invalid_value",
  message: "does not open the private key",
};
