import { Invalid } from "../failure";
import type { Surroundings } from "../surroundings";
import { fetchKeys } from "./controlled-identifier";
import type { DidDocument } from "./did-document";

/**
 * Resolves a did:web through the guarded client.
 * @throws Unverifiable if its document cannot be fetched or read; Invalid if the DID is malformed
 */
export const resolveDidWeb = async (did: string, surroundings: Surroundings): Promise<DidDocument> =>
  fetchKeys(did, urlOfDidWeb(did), surroundings);

/**
 * The address of a did:web's document (did:web method specification, section 3.2).
 * @throws Invalid
 */
export function urlOfDidWeb(did: string): string {
  const [host = "", ...path] = did.slice("did:web:".length).split(":");
  const parts = [host.replace(/%3A/i, ":"), ...path];
  const isPlain =
    /^[a-z0-9.-]+(?::\d{1,5})?$/i.test(parts[0]!) &&
    path.every((part) => /^(?:[\w.~-]|%[0-9a-f]{2})+$/i.test(part) && isName(part));
  if (!isPlain || did.length > 1_000) throw new Invalid("The issuer's did:web is malformed.");
  return `https://${parts.join("/")}${path.length > 0 ? "" : "/.well-known"}/did.json`;
}

/**
 * Whether a part of the path is one plain segment, which cannot lead elsewhere: URL parsers decode %2e to a dot,
 * servers %2f to a slash.
 */
function isName(part: string): boolean {
  try {
    const name = decodeURIComponent(part);
    // oxlint-disable-next-line no-control-regex
    return !/^\.+$/.test(name) && !/[/\\%?#\u0000-\u001F]/.test(name);
  } catch {
    return false;
  }
}
