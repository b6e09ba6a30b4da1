import { fetchDocument } from "../fetch-document";
import { Unverifiable } from "../failure";
import { isObject, listOf, textOf, type Json } from "../json";
import { isUrl } from "../vcdm/forms";
import { idOf } from "../vcdm/validate-credential";
import type { StatusType } from "./status-type";

const what = "The issuer's revocation list";

/**
 * `1EdTechRevocationList` (1EdTech Revocation List Status Method 1.0): a JSON document at the issuer's own address that
 * lists the revoked credentials. It is not signed; only https protects it.
 */
export const oneEdTechRevocationList: StatusType = {
  type: "1EdTechRevocationList",
  problems: ({ id }) => (isUrl(id) ? [] : ["id must be the URL of the revocation list."]),
  async read(entry, context) {
    const text = await fetchDocument(
      entry["id"] as string,
      { accept: "application/json, application/ld+json", maxBytes: 8 * 1024 * 1024, what },
      context,
    );
    const list = parsed(text);
    const revoked = isObject(list) ? (list["revokedCredential"] ?? list["revokedCredentials"]) : undefined;
    // Any other JSON, such as the error of a server, would otherwise read as a list of nothing.
    if (!isObject(list) || !Array.isArray(revoked))
      throw new Unverifiable(`${what} holds no list of revoked credentials.`);
    if (idOf(list["issuer"]) !== context.issuer) throw new Unverifiable(`${what} is not one of this issuer.`);
    const entries = listOf(revoked).map((each) => (isObject(each) ? each : { id: each }));
    const found = entries.find(({ id }) => context.credentialId !== undefined && id === context.credentialId);
    const message = textOf(found?.["revocationReason"]);
    return {
      purpose: "revocation",
      isSet: found !== undefined && found["revoked"] !== false,
      ...(message !== undefined && { message }),
    };
  },
};

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
