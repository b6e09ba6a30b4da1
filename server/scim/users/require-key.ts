import { badRequest } from "../protocol/error";
import type { Fields } from "../protocol/values";
import { fold } from "@/server/connectors/directory/fold";

/** The most characters of the externalId of a person (server/subjects/external-id.ts). */
const longest = 255;

/**
 * Refuses a userName that is too long for the externalId of a person. People without an externalId are known by their
 * userName, and the refusal of the person's externalId would name an attribute that was not sent.
 * @throws ScimError invalidValue
 */
export function requireKey({ userName, externalId }: Fields): void {
  if (externalId !== undefined || typeof userName !== "string" || fold(userName).length <= longest) return;
  throw badRequest(
    "invalidValue",
    `userName has more than ${longest} characters. Send a shorter one, or an externalId, by which the person is known then.`,
  );
}
