import { hash } from "node:crypto";
import { uuidOf } from "@/server/core/ids";
import type { JsonObject } from "@/server/standards/json";
import type { BadgeFacts } from "./facts";

/**
 * Says for whom a badge is, as the organisation chose (Open Badges 3.0, `IdentityObject`): a hash, a hash with the name,
 * or address and name in clear.
 */
export function recipientIdentity(facts: BadgeFacts): JsonObject[] {
  const { email, external_id, display_name } = facts;
  const name = display_name === "" ? [] : [plain("name", display_name)];
  switch (facts.recipient_identity) {
    case "hashed":
      return [hashedIdentity(facts)];
    case "name":
      return [hashedIdentity(facts), ...name];
    case "email":
      return [plain(email === null ? "sourcedId" : "emailAddress", email ?? external_id), ...name];
  }
}

const plain = (identityType: string, identityHash: string): JsonObject => ({
  type: "IdentityObject",
  hashed: false,
  identityHash,
  identityType,
});

/**
 * Says for whom a badge is without naming the person (Open Badges 3.0, `IdentityObject`): a hash of the e-mail address
 * or, without one, of the external id. The salt differs from credential to credential, so that hashes of one person
 * cannot be matched. It stands in the document; derived from the random id of the credential, it needs no storage.
 */
function hashedIdentity({ id, email, external_id }: BadgeFacts): JsonObject {
  const salt = hash("sha256", `badge salt ${uuidOf(id)}`, "base64url").slice(0, 22);
  return {
    type: "IdentityObject",
    hashed: true,
    identityHash: `sha256$${hash("sha256", `${email ?? external_id}${salt}`, "hex")}`,
    identityType: email === null ? "sourcedId" : "emailAddress",
    salt,
  };
}
