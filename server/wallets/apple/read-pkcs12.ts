import forge from "node-forge";

/**
 * Returns the private key in a PKCS #12 file (.p12), in which Keychain Access on a Mac exports a key with its certificate,
 * as PEM. Null if it has no RSA key.
 * @throws Error if the passphrase does not open the file
 */
export function readPkcs12(pkcs12: Buffer, passphrase: string): string | null {
  const { keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids;
  const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(pkcs12.toString("latin1")), passphrase);
  const bags = [pkcs8ShroudedKeyBag, keyBag].flatMap((bagType) => file.getBags({ bagType })[bagType] ?? []);
  const key = bags.find((bag) => bag.key)?.key;
  return key ? forge.pki.privateKeyToPem(key) : null;
}
