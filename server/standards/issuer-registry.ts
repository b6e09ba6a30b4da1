import { Unverifiable } from "./failure";
import { fetchDocument } from "./fetch-document";
import { isObject, type Json } from "./json";
import type { Surroundings } from "./surroundings";

/** The community registry of the Digital Credentials Consortium had 60 KB in 2025. */
const maxBytes = 2 * 1024 * 1024;
const maxIssuers = 20_000;
const longestName = 200;

/** The names of issuers in a registry, by DID. */
export type IssuerRegistry = ReadonlyMap<string, string>;

/**
 * Fetches a registry of issuers in the format of the Digital Credentials Consortium (`registry.json`):
 * `{meta, registry: {<did>: {name, location, url}}}`. Entries without a name are left out.
 *
 * @throws Unverifiable if it cannot be fetched completely, or is not of this format
 */
export async function fetchIssuerRegistry(url: string, surroundings: Surroundings): Promise<IssuerRegistry> {
  const text = await fetchDocument(url, { accept: "application/json", maxBytes, what: "The registry" }, surroundings);
  const document = parsed(text);
  if (!isObject(document) || !isObject(document["registry"]))
    throw new Unverifiable("The registry is not JSON with issuers under registry.");
  const entries = Object.entries(document["registry"]);
  if (entries.length > maxIssuers)
    throw new Unverifiable(`The registry lists more than ${maxIssuers.toLocaleString("en")} issuers.`);
  return new Map(
    entries.flatMap(([did, entry]) => {
      const name = isObject(entry) && typeof entry["name"] === "string" ? entry["name"].trim() : "";
      return did.startsWith("did:") && name !== "" ? [[did, name.slice(0, longestName)] as const] : [];
    }),
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
