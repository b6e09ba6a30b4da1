import { createPublicKey } from "node:crypto";
import { setImmediate as others } from "node:timers/promises";
import { eddsaRdfc2022 } from "../data-integrity/eddsa-rdfc-2022";
import type { Proof } from "../data-integrity/proof";
import type { Signer } from "../data-integrity/sign-document";
import { decodeMultibase } from "../encoding/multibase";
import type { JsonObject } from "../json";
import type { SigningTemplate, Values } from "./signing-template";

/** How many credentials of a batch the library verifies before any of it is released. */
const sampleSize = 3;
/** For so long the process does nothing else. */
const turnMs = 10;

/**
 * Signs credentials of one template. A sample, the first, the last and one between, is expanded and verified whole by
 * the library; if one does not hold, none is given out. Call it outside of transactions: signing holds no lock.
 *
 * @returns their JSON, in the order of `rows`
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
    // Signing waits for nothing, so that requests would wait for the whole batch.
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
    const { proof, ...document } = JSON.parse(signed[place]!) as JsonObject & { proof: Proof[] };
    const { proofValue, ...options } = proof[0]!;
    const data = await eddsaRdfc2022.hash({ document, options }, publicKey);
    if (!eddsaRdfc2022.verify(data, decodeMultibase(proofValue), publicKey))
      throw new Error(`A signature of a batch does not hold (row ${place} of ${rows.length}); none of it is released.`);
  }
  return signed;
}
