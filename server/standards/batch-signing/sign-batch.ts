import { createPublicKey, type KeyObject } from "node:crypto";
import { setImmediate as others } from "node:timers/promises";
import { eddsaRdfc2022 } from "../data-integrity/eddsa-rdfc-2022";
import type { Proof } from "../data-integrity/proof";
import type { Signer } from "../data-integrity/sign-document";
import { decodeMultibase } from "../encoding/multibase";
import type { JsonObject } from "../json";
import type { SigningTemplate, Values } from "./signing-template";

/** How many credentials of a batch the library verifies before any credential is returned. */
const sampleSize = 3;
/** How long signing may block the event loop before it yields. */
const turnMs = 10;

/**
 * Signs credentials of one template. The library expands and verifies a sample of three: the first, the last and one in
 * between. Call it outside of transactions, so that no lock is held while it signs.
 *
 * @returns the credentials as JSON, in the order of `rows`
 * @throws Error if a signature of the sample does not verify; then no credential is returned
 */
export async function signBatch(
  template: SigningTemplate,
  rows: readonly Values[],
  signer: Signer,
  created: Date,
): Promise<string[]> {
  const signed: string[] = [];
  let turnBegan = performance.now();
  for (const values of rows) {
    signed.push(await template.sign(values, signer, created));
    // sign() never waits for I/O, so without yielding, requests would wait for the whole batch.
    if (performance.now() - turnBegan < turnMs) continue;
    await others();
    turnBegan = performance.now();
  }
  const publicKey = createPublicKey(signer.privateKey);
  const places = new Set(
    Array.from({ length: Math.min(sampleSize, rows.length) }, (_, i) =>
      Math.floor((i * (rows.length - 1)) / Math.max(1, sampleSize - 1)),
    ),
  );
  for (const place of places) {
    if (!(await holds(signed[place]!, publicKey)))
      throw new Error(`A signature of a batch does not hold (row ${place} of ${rows.length}); none of it is released.`);
  }
  return signed;
}

/** Whether the signature of a credential holds if it is expanded whole, as a verifier does. */
export async function holds(signed: string, publicKey: KeyObject): Promise<boolean> {
  const { proof, ...document } = JSON.parse(signed) as JsonObject & { proof: Proof[] };
  const { proofValue, ...options } = proof[0]!;
  const data = await eddsaRdfc2022.hash({ document, options }, publicKey);
  return eddsaRdfc2022.verify(data, decodeMultibase(proofValue), publicKey);
}
