import { Invalid } from "../failure";
import { boundsProblem, isObject, listOf, type Json, type JsonObject } from "../json";
import { parseStrictly } from "../strict-json";
import { versionOf } from "../vcdm/contexts";
import { idOf } from "../vcdm/validate-credential";
import { refuseUnreadable } from "./claims";

/** The text of a part of a JWT: 0 is the header, 1 the payload. @throws TypeError if it is not UTF-8 */
export const partOf = (jwt: string, part: 0 | 1): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(jwt.split(".")[part]!, "base64url"));

/** @throws Invalid */
export function readPayload(jwt: string): JsonObject {
  let payload: Json;
  try {
    payload = parseStrictly(partOf(jwt, 1));
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid("The token does not hold JSON.", { cause: error });
  }
  const problem = boundsProblem(payload);
  if (problem) throw new Invalid(problem);
  if (!isObject(payload)) throw new Invalid("The token does not hold an object.");
  refuseUnreadable(payload);
  return payload;
}

/** The JWT claims of a payload. Its other properties are the document. */
const registered = ["iss", "sub", "jti", "nbf", "exp", "iat", "aud", "nonce", "cnf", "vc", "vp"];

/**
 * Finds the document in a payload. VCDM 1.1 keeps it in `vc` or `vp` and lets claims replace its properties; in
 * VC-JOSE-COSE and Open Badges it is the payload itself.
 *
 * @throws Invalid if a claim contradicts a property
 */
export function documentOf(payload: JsonObject, kind: "vc" | "vp"): JsonObject {
  const nested = payload[kind];
  if (nested === undefined) {
    const document = Object.fromEntries(Object.entries(payload).filter(([name]) => !registered.includes(name)));
    return agreeing(payload, document, kind);
  }
  if (!isObject(nested)) throw new Invalid(`The claim ${kind} of the token is not an object.`);
  if (versionOf(nested) === "2.0")
    throw new Invalid(`The token holds a document of VCDM 2.0 in the claim ${kind}, which only VCDM 1.1 has.`);
  return agreeing(payload, filled(payload, nested, kind), kind);
}

/** Adds to the document the properties that it may leave to the claims (VCDM 1.1, section 6.3.1). */
function filled({ iss, jti, nbf, exp }: JsonObject, document: JsonObject, kind: "vc" | "vp"): JsonObject {
  const times =
    kind === "vc"
      ? {
          ...(typeof nbf === "number" && { issuanceDate: isoOf(nbf) }),
          ...(typeof exp === "number" && { expirationDate: isoOf(exp) }),
        }
      : {};
  return {
    ...times,
    ...(jti !== undefined && { id: jti }),
    ...(iss !== undefined && { [kind === "vc" ? "issuer" : "holder"]: iss }),
    ...document,
  };
}

/** @throws Invalid if a claim names another issuer, credential or subject than the document */
function agreeing({ iss, jti, sub }: JsonObject, document: JsonObject, kind: "vc" | "vp"): JsonObject {
  const signer = idOf(document[kind === "vc" ? "issuer" : "holder"]);
  if (iss !== undefined && signer !== undefined && iss !== signer)
    throw new Invalid("The token names another issuer than the credential within.");
  if (jti !== undefined && document["id"] !== undefined && jti !== document["id"])
    throw new Invalid("The token has another id than the credential within.");
  const subjects = listOf(document["credentialSubject"]).map(idOf);
  if (
    kind === "vc" &&
    sub !== undefined &&
    subjects.some((id) => id !== undefined) &&
    !subjects.includes(sub as string)
  )
    throw new Invalid("The token names another subject than the credential within.");
  return document;
}

function isoOf(seconds: number): string {
  const year = new Date(seconds * 1000).getUTCFullYear();
  if (year < 1) throw new Invalid("A time in the token is before the year 1.");
  return new Date(seconds * 1000).toISOString();
}
