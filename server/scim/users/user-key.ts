import { badRequest } from "../protocol/error";
import type { Fields } from "../protocol/values";
import { fold } from "@/server/connectors/directory/fold";

/** Bytes of a resource as JSON: as many as the attributes of a subject. A list reads a thousand of them at once. */
const largestResource = 64 * 1024;

/** The folded userName. @throws ScimError invalidValue for a resource without one, or one that is too large */
export function userKeyOf(resource: Fields): string {
  const userKey = typeof resource["userName"] === "string" ? fold(resource["userName"]) : "";
  if (userKey === "") throw badRequest("invalidValue", "A user has a userName.");
  if (Buffer.byteLength(JSON.stringify(resource)) > largestResource)
    throw badRequest("invalidValue", `A user has at most ${largestResource / 1024} KiB, extensions included.`);
  return userKey;
}
