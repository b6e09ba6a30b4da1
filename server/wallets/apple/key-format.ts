/** Whether a private key is encrypted, or in a file that may encrypt it. Does not open it. */
export function isEncrypted(text: string): boolean {
  if (text.includes("-----BEGIN")) return text.includes("ENCRYPTED");
  const der = Buffer.from(text, "base64");
  return isPkcs12(der) || isEncryptedPkcs8(der);
}

/** A sequence, whose length has one to three bytes or is left open (BER). */
const sequence = "30(?:[0-7].|80|81..|82....)";
/** It begins with the version 3. */
const pkcs12 = new RegExp(`^${sequence}020103`);
/** It begins with an algorithm of PKCS #5 or PKCS #12 that encrypts with a passphrase. */
const encryptedPkcs8 = new RegExp(`^${sequence}${sequence}06..2a864886f70d01(?:05|0c)`);

/** Whether it is a PKCS #12 file (.p12). */
export const isPkcs12 = (der: Buffer) => pkcs12.test(headOf(der));
const isEncryptedPkcs8 = (der: Buffer) => encryptedPkcs8.test(headOf(der));
const headOf = (der: Buffer) => der.subarray(0, 24).toString("hex");
