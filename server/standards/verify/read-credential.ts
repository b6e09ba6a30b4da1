import { Invalid } from "../failure";
import { boundsProblem, isObject, type Json, type JsonObject } from "../json";
import { readJwt, type Read } from "../jose/verify-jwt";
import { credentialProblems } from "../vcdm/validate-credential";
import { envelopedJwt, isEnveloped } from "../vcdm/validate-presentation";

/** A credential that was read and whose shape was checked, but whose signature was not verified yet. */
export interface ReadCredential {
  document: JsonObject;
  /** Set if the credential is a JWT. */
  token?: { jwt: string; read: Read };
}

/** The most characters of a credential. Most have a few kilobytes. */
export const maxCharacters = 1024 * 1024;
/** The most characters of a status list: enough for several million entries. */
export const maxListCharacters = 12 * 1024 * 1024;

/**
 * Reads a credential: an object, JSON as text, a JWT, or a JWT enveloped in an object.
 * @param longest the most characters of a text
 * @throws Invalid
 */
export function readCredential(sent: string | JsonObject, longest = maxCharacters): ReadCredential {
  const given = typeof sent === "string" ? parsed(sent, longest) : sent;
  if (typeof given === "string") return fromJwt(given);
  const bounds = boundsProblem(given);
  if (bounds) throw new Invalid(bounds);
  if (isEnveloped(given, "vc")) {
    const jwt = envelopedJwt(given, "vc");
    if (jwt === undefined || !Array.isArray(given["@context"]))
      throw new Invalid("The credential is in an envelope of a kind that is not read here.");
    return fromJwt(jwt);
  }
  refuseProblems(given);
  return { document: given };
}

/** Parses a text: returns JSON as an object, and a JWT as it is. @throws Invalid */
export function parsed(sent: string, longest = maxCharacters): JsonObject | string {
  if (sent.length > longest) throw new Invalid("The text is too long for a credential.");
  const text = sent.trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return text;
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    throw new Invalid("The text is neither JSON nor a JWT.", { cause: error });
  }
  if (typeof json === "string") return parsed(json, longest);
  if (!isObject(json)) throw new Invalid("The JSON is not an object.");
  return json;
}

function fromJwt(jwt: string): ReadCredential {
  const read = readJwt(jwt, "vc");
  refuseProblems(read.document);
  return { document: read.document, token: { jwt, read } };
}

function refuseProblems(document: JsonObject): void {
  const problems = credentialProblems(document);
  if (problems.length > 0) throw new Invalid(problems.join(" "));
}
