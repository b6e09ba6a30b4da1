import { createPrivateKey, type KeyObject } from "node:crypto";
import type { InputIssue } from "@/server/core/errors";
import type { Caller } from "@/server/core/turns";
import { isEncrypted } from "./key-format";
import { openSentKey } from "./sign-pass";

/**
 * Reads a private key: PEM, or base64 of DER (PKCS #8) or of a PKCS #12 file (.p12), each encrypted or not.
 *
 * @returns the key, or an issue that says whether the file or the passphrase is wrong
 */
export async function readPrivateKey(
  caller: Caller,
  { privateKey, passphrase = "" }: { privateKey: string; passphrase?: string | undefined },
): Promise<KeyObject | InputIssue> {
  const pem = await openSentKey(caller, { privateKey, passphrase });
  if (pem !== null) return createPrivateKey(pem);
  if (isEncrypted(privateKey)) return passphrase === "" ? noPassphrase : wrongPassphrase;
  return notAKey;
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
