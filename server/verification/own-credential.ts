import { sql } from "@/server/core/db";
import { findByHost } from "@/server/issuers/domain/find-by-host";
import { issuerDid } from "@/server/issuers/did";
import { textOf, type JsonObject } from "@/server/standards/json";
import { domainOf } from "@/server/standards/verify/check-issuer-identity";
import { idOf } from "@/server/standards/vcdm/validate-credential";
import { codeAt } from "./code-at";
import type { CredentialEvidence } from "./evidence";
import { findByCode } from "./find-by-code";
import { ownHost } from "./own-documents";

/** An organisation of this service that signed a document. */
export interface OwnIssuer {
  name: string;
  slug: string;
  /** Whether the operator of the service confirmed the name. */
  is_name_confirmed: boolean;
}

/**
 * Finds the organisation of this service that signed a document, and its credential. Call it only for a document with a
 * valid signature, because it trusts the document's issuer and id. The credential must belong to the organisation whose
 * key signed. A document of one organisation with the code of another organisation's credential therefore reaches
 * nothing of the other.
 *
 * @returns undefined if no organisation of this service signed it; without `credential` if the document's id is not
 * that of an academic credential of this organisation
 */
export async function findOwnCredential(
  document: JsonObject,
  now: Date,
): Promise<{ issuer: OwnIssuer; credential?: CredentialEvidence } | undefined> {
  const slug = await slugIn(idOf(document["issuer"]) ?? "");
  if (slug === undefined) return undefined;
  const [issuer] = await sql<OwnIssuer>(organisation, [slug]);
  if (!issuer) return undefined;
  const code = codeIn(textOf(document["id"]) ?? "");
  const credential = code === null ? undefined : await findByCode(code, now);
  return credential?.issuer_slug === slug && credential.kind === "academic" ? { issuer, credential } : { issuer };
}

/**
 * Whether a document claims to be of this service: its issuer is an organisation of it, or its id is the page of one of
 * its credentials. Its signature does not matter.
 */
export async function claimsToBeOurs(document: JsonObject, now: Date): Promise<boolean> {
  const slug = await slugIn(idOf(document["issuer"]) ?? "");
  if (slug !== undefined && (await sql(organisation, [slug])).length > 0) return true;
  const code = codeIn(textOf(document["id"]) ?? "");
  return code !== null && (await findByCode(code, now)) !== undefined;
}

const organisation = `
SELECT name, slug, name IS NOT DISTINCT FROM confirmed_name AS is_name_confirmed FROM organisations WHERE slug = $1`;

/** The slug of the organisation of this service that a DID names: under the host of this service, or its own domain. */
async function slugIn(did: string): Promise<string | undefined> {
  const domain = domainOf(did);
  if (domain !== null && did.startsWith("did:web:")) return (await findByHost(domain))?.slug;
  const slug = did.split(":").at(-1)!;
  return slug !== "" && did === issuerDid(slug) ? slug : undefined;
}

/**
 * Whether the id of a document is an address of a credential of this service, whoever signed it: its page or what the
 * API answers of it, in any spelling that leads there.
 */
export async function namesOurPage(document: JsonObject): Promise<boolean> {
  const url = URL.parse(textOf(document["id"]) ?? "");
  if (url === null || codeAt(url) === null) return false;
  return isOurHost(url.host) || (await findByHost(url.hostname)) !== undefined;
}

/** The code in the id of a document of this service, which is the credential's page: https://…/c/7Q2M-…. */
function codeIn(id: string): string | null {
  const url = URL.parse(id);
  return url !== null && isOurHost(url.host) ? codeAt(url) : null;
}

/** A name may end with the dot of the root. */
const isOurHost = (host: string): boolean => host.replace(/\.(?=:|$)/, "") === ownHost();
