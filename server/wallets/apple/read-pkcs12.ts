import forge from "node-forge";

/** A PKCS #12 file (.p12), in which Keychain Access on a Mac exports a key with its certificate. */
export interface Pkcs12Job {
  pkcs12: Uint8Array;
  passphrase: string;
}

/**
 * Returns the private key in a PKCS #12 file as PEM, or null if the passphrase does not open the file or it has no RSA
 * key. Runs in a worker process (pass-worker.ts): the file says how often its passphrase is hashed.
 */
export async function readPkcs12({ pkcs12, passphrase }: Pkcs12Job): Promise<string | null> {
  const { keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids;
  try {
    const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(Buffer.from(pkcs12).toString("latin1")), passphrase);
    const bags = [pkcs8ShroudedKeyBag, keyBag].flatMap((bagType) => file.getBags({ bagType })[bagType] ?? []);
    const key = bags.find((bag) => bag.key)?.key;
    return key ? forge.pki.privateKeyToPem(key) : null;
  } catch {
    return null;
  }
}
