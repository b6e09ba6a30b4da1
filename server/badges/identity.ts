import { hash } from "node:crypto";
import { uuidOf } from "@/server/core/ids";
import type { JsonObject } from "@/server/standards/json";
import type { BadgeFacts } from "./facts";

/**
 * Identifies the holder of a badge as the organisation chose (Open Badges 3.0, `IdentityObject`): by a hash, by a hash
 * with the name, or by address and name in plain text.
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
 * Identifies the holder of a badge without naming them (Open Badges 3.0, `IdentityObject`): by a hash of the e-mail
 * address or, without one, of the external id. The salt differs between credentials, so that hashes of one person
 * cannot be matched. The document contains the salt; it is derived from the random id of the credential, so it need not
 * be stored.
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
