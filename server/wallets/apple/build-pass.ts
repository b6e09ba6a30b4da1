import { PassType, PKPass } from "passkit-generator";
import type { PassJob } from "./sign-pass";

/** Builds the .pkpass file and signs its manifest. Runs in a worker process (pass-worker.ts). */
export async function buildPass({ document, images, signing }: PassJob): Promise<Uint8Array> {
  const files = Object.fromEntries(Object.entries(images).map(([name, bytes]) => [name, Buffer.from(bytes)]));
  const pass = new PKPass(
    files,
    { signerCert: signing.certificate, signerKey: signing.privateKey, wwdr: signing.wwdr },
    document.props,
  );
  const generic = new PassType("generic");
  generic.headerFields.push(...document.generic.header);
  generic.primaryFields.push(...document.generic.primary);
  generic.secondaryFields.push(...document.generic.secondary);
  generic.auxiliaryFields.push(...document.generic.auxiliary);
  generic.backFields.push(...document.generic.back);
  const poster = new PassType("posterGeneric");
  poster.headerFields.push(...document.poster.header);
  poster.primaryFields.push(...document.poster.primary);
  poster.footerFields.push(...document.poster.footer);
  poster.backFields.push(...document.poster.back);
  pass.types.push(generic, poster);
  pass.setExpirationDate(document.expiresAt);
  if (document.barcodes.length > 0) pass.setBarcodes(...document.barcodes);
  return pass.getAsBuffer();
}
