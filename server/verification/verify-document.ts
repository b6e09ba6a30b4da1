import { outboundRequest } from "@/server/outbound/request";
import type { JsonObject } from "@/server/standards/json";
import { verifyCredential } from "@/server/standards/verify/verify-credential";
import { concluded } from "./decide";
import { foreignView } from "./foreign-view";
import type { Verification } from "./view";

/**
 * Decides whether a credential of any issuer is valid at this moment: JSON, or a JWT. Nothing of it is stored, and no
 * event tells of it, since it belongs to no organisation here. It may take as long as the issuer's servers do, 5
 * seconds for each document.
 */
export async function verifyDocument(credential: string | JsonObject, now: Date): Promise<Verification> {
  const verification = await verifyCredential(credential, { now, request: outboundRequest });
  return foreignView(verification, concluded(verification.checks), now);
}
