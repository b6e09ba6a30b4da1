import { createPublicKey, hash } from "node:crypto";
import { processState } from "@/server/core/process-state";
import { holds } from "@/server/standards/batch-signing/sign-batch";
import { SigningTemplate } from "@/server/standards/batch-signing/signing-template";
import { holdsMarker } from "@/server/standards/batch-signing/slots";
import { BoundedCache } from "@/server/standards/bounded-cache";
import { eddsaRdfc2022 } from "@/server/standards/data-integrity/eddsa-rdfc-2022";
import { signDocument, type Signer } from "@/server/standards/data-integrity/sign-document";
import type { JsonObject } from "@/server/standards/json";
import { shapeOf } from "./signing-shape";

interface Compiled {
  template: SigningTemplate;
  signed: number;
}

/** The first document of each shape, and then every hundredth, is fully verified before it is returned. */
const sampledEvery = 100;

const { shapes } = processState("badge signing", () => ({
  shapes: new BoundedCache<Compiled>(200, 24 * 60 * 60 * 1000),
}));

/**
 * Signs the document of a badge with `eddsa-rdfc-2022`. The parts from its template and achievement are expanded once
 * for all their credentials (decision 254), so a cohort that downloads its badges costs little.
 *
 * @returns the document with its proof, as JSON: exactly the bytes of signDocument
 * @throws Error if a sample does not verify; then nothing is returned
 */
export async function signBadge(unsigned: JsonObject, signer: Signer, created: Date): Promise<string> {
  // A text that looks like a slot would be replaced.
  if (holdsMarker(JSON.stringify(unsigned)))
    return JSON.stringify(await signDocument(unsigned, eddsaRdfc2022, signer, { created }));
  const { template, values } = shapeOf(unsigned);
  const key = hash("sha256", JSON.stringify(template), "base64url");
  const shape = await shapes.get(key, created, async () => ({
    template: await SigningTemplate.compile(template),
    signed: 0,
  }));
  const document = await shape.template.sign(values, signer, created);
  if (shape.signed++ % sampledEvery === 0 && !(await holds(document, createPublicKey(signer.privateKey))))
    throw new Error("The signature of a badge does not hold, so the badge is not released.");
  return document;
}
