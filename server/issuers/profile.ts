import { z } from "zod";
import { sql } from "@/server/core/db";
import { issuerDid } from "./did";
import { findBySlug } from "./find-by-slug";
import { loadIssuer } from "./load";
import { statusListUrl } from "./status/purposes";

export const issuerProfileSchema = z
  .object({
    object: z.literal("issuer_profile"),
    slug: z.string(),
    name: z.string(),
    nameVerified: z.boolean().meta({
      description: "False where the organisation alone says that this is its name: the operator has not confirmed it.",
    }),
    did: z.string(),
    keys: z.array(
      z.object({
        publicKeyMultibase: z.string().meta({ description: "An Ed25519 key as Multikey." }),
        status: z.enum(["active", "next", "retired", "revoked"]).meta({
          description: "What a retired key signed stays valid; nothing that a revoked key signed is valid any more.",
        }),
      }),
    ),
    statusLists: z.object({
      revocation: z.string().meta({ description: "The URL of the list of revoked credentials." }),
      suspension: z.string(),
    }),
  })
  .meta({ id: "IssuerProfile" });

export type IssuerProfile = z.output<typeof issuerProfileSchema>;

/**
 * Returns the data of an organisation with which a scanner checks its signed QR codes offline.
 *
 * @throws DomainError not_found
 */
export async function issuerProfile(slug: string): Promise<IssuerProfile> {
  const orgId = await findBySlug(slug);
  const [[named], { keys }] = await Promise.all([
    sql<{ name: string; nameVerified: boolean }>(
      `SELECT name, name IS NOT DISTINCT FROM confirmed_name AS "nameVerified" FROM organisations WHERE id = $1`,
      [orgId],
    ),
    loadIssuer(sql, orgId),
  ]);
  return {
    object: "issuer_profile",
    slug,
    ...named!,
    did: issuerDid(slug),
    keys: keys
      .filter(({ kind }) => kind === "ed25519")
      .map(({ public_key, revoked_at, retired_at, activated_at }) => ({
        publicKeyMultibase: public_key,
        status: revoked_at ? "revoked" : retired_at ? "retired" : activated_at ? "active" : "next",
      })),
    statusLists: { revocation: statusListUrl(slug, "revocation"), suspension: statusListUrl(slug, "suspension") },
  };
}
