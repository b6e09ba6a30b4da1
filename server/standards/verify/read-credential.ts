import { Invalid } from "../failure";
import { disguisedNames } from "../json-ld/disguised-names";
import { boundsProblem, isObject, type Json, type JsonObject } from "../json";
import { readJwt, type Read } from "../jose/verify-jwt";
import { parseStrictly } from "../strict-json";
import { credentialProblems } from "../vcdm/validate-credential";
import { envelopedJwt, isEnveloped } from "../vcdm/validate-presentation";
import { otherDocument, otherText } from "./other-kinds";

/** A credential that was read and whose shape was checked, but whose signature was not verified yet. */
export interface ReadCredential {
  document: JsonObject;
  /** Set if the credential is a JWT. */
  token?: { jwt: string; read: Read };
}

/** The most characters of a credential. Most have a few kilobytes, and up to a megabyte with a picture. */
export const maxCharacters = 1024 * 1024;
/** The most characters of a JWT: base64 makes a credential a third longer, and adds a header and a signature. */
export const maxJwtCharacters = 1_450_000;
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
    if (jwt === undefined) throw new Invalid("The credential is in an envelope of a kind that is not read here.");
    return fromJwt(jwt);
  }
  const other = otherDocument(given);
  if (other) throw new Invalid(other);
  refuseProblems(given);
  refuseDisguises(given);
  return { document: given };
}

/** Parses a text: returns JSON as an object, and a JWT as it is. @throws Invalid */
export function parsed(sent: string, longest = maxCharacters): JsonObject | string {
  if (sent.length > Math.max(longest, maxJwtCharacters)) throw tooLong();
  const text = sent.trim();
  const jwt = jwtIn(text);
  if (jwt !== undefined) return jwt;
  if (text.length > longest) throw tooLong();
  const other = otherText(text);
  if (other) throw new Invalid(other);
  let json: Json;
  try {
    json = parseStrictly(text);
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid("The text is neither JSON nor a JWT.", { cause: error });
  }
  if (typeof json === "string") return parsed(json, longest);
  if (!isObject(json)) throw new Invalid("The JSON is not an object.");
  return json;
}

const tooLong = () =>
  new Invalid("This is too long to be checked here: a credential may have 1 MB, pictures in it included.");

/** Reads a JWT from a text; undefined if it is none. White space is removed, because mail programs break long lines. */
function jwtIn(text: string): string | undefined {
  if (!/^[\w-]/.test(text)) return undefined;
  const joined = text.replace(/\s+/g, "");
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(joined) ? joined : undefined;
}

function fromJwt(jwt: string): ReadCredential {
  if (jwt.length > maxJwtCharacters) throw tooLong();
  const read = readJwt(jwt, "vc");
  const other = otherDocument(read.document);
  if (other) throw new Invalid(other);
  refuseProblems(read.document);
  return { document: read.document, token: { jwt, read } };
}

/** A JWT signs its text, so it needs no such check. @throws Invalid */
export function refuseDisguises(document: JsonObject): void {
  const problems = disguisedNames(document);
  if (problems.length > 0) throw new Invalid(problems.join(" "));
}

function refuseProblems(document: JsonObject): void {
  const problems = credentialProblems(document);
  if (problems.length > 0) throw new Invalid(problems.join(" "));
}
