import { fetchDocument } from "../fetch-document";
import { Invalid } from "../failure";
import { isObject, listOf, textOf, type JsonObject } from "../json";
import { idOf } from "../vcdm/validate-credential";
import type { StatusContext } from "./status-type";

/** The most bytes of a list. A list of millions of entries with many set has a few megabytes. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Fetches the credential that holds a status list and checks its signature, validity, issuer and type, which libraries
 * often omit. It is not cached: a revocation counts from the moment of its publication.
 *
 * @returns the list, which is the subject of the credential
 * @throws Invalid; Unverifiable
 */
export async function fetchList(url: string, credentialType: string, context: StatusContext): Promise<JsonObject> {
  const what = "The issuer's status list";
  const text = await fetchDocument(
    url,
    {
      accept: "application/vc, application/vc+ld+json, application/ld+json, application/json, application/vc+jwt;q=0.8",
      maxBytes,
      what,
    },
    context,
  );
  const credential = await context.verifyList(text);
  if (!listOf(credential["type"]).includes(credentialType)) throw new Invalid(`${what} is not a ${credentialType}.`);
  if (idOf(credential["issuer"]) !== context.issuer)
    throw new Invalid(`${what} was issued by somebody else than the credential.`);
  const subject = credential["credentialSubject"];
  if (!isObject(subject) || textOf(subject["encodedList"]) === undefined) throw new Invalid(`${what} holds no list.`);
  return subject;
}
