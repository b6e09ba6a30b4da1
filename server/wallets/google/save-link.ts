import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { env } from "@/server/core/env";
import type { Id } from "@/server/core/ids";
import { classIdOf } from "./pass-class";
import type { PassIssuer } from "./settings";

/** Google's page that adds a pass to the wallet; the JWT follows as the last part of the path. */
export const saveUrl = "https://pay.google.com/gp/v/save/";

/**
 * Returns the link with which a holder adds a pass that exists at Google (a JWT of type savetowallet). The link holds the
 * id of the pass and not its content, so it is short and never out of date.
 */
export async function saveLink(orgId: Id<"org">, objectId: string, issuer: PassIssuer): Promise<string> {
  const pass = { id: objectId, classId: classIdOf(issuer.issuerId, orgId) };
  const jwt = await new SignJWT({
    typ: "savetowallet",
    origins: [new URL(env().PUBLIC_URL).origin],
    payload: { genericObjects: [pass] },
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: issuer.keyId })
    .setIssuer(issuer.clientEmail)
    .setAudience("google")
    .setIssuedAt()
    .sign(createPrivateKey(issuer.privateKey));
  return `${saveUrl}${jwt}`;
}
