import { createPrivateKey } from "node:crypto";
import { isPkcs12 } from "./key-format";
import { readPkcs12 } from "./read-pkcs12";

/** A private key as an organisation sends it: PEM, or base64 of DER (PKCS #8) or of a PKCS #12 file (.p12). */
export interface KeyJob {
  privateKey: string;
  passphrase: string;
}

/**
 * Opens a private key and returns it as PEM without encryption, or null if it cannot be opened. Runs in a worker process
 * (pass-worker.ts): each encrypted format lets the sender choose how often the passphrase is hashed.
 */
export function openKey({ privateKey: text, passphrase }: KeyJob): string | null {
  const isPem = text.includes("-----BEGIN");
  const der = Buffer.from(isPem ? "" : text, "base64");
  try {
    if (isPkcs12(der)) return readPkcs12(der, passphrase);
    const key = createPrivateKey(
      isPem ? { key: text, passphrase } : { key: der, format: "der", type: "pkcs8", passphrase },
    );
    return key.export({ type: "pkcs8", format: "pem" }) as string;
  } catch {
    return null;
  }
}
