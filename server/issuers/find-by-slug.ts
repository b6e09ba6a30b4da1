import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";

/** Finds the organisation with this slug, for requests without a token. @throws DomainError not_found */
export async function findBySlug(slug: string): Promise<Id<"org">> {
  const [found] = await sql<{ id: Id<"org"> }>(`SELECT id FROM organisations WHERE slug = $1`, [slug]);
  if (!found) throw new DomainError("not_found", `There is no issuer ${JSON.stringify(slug)} here.`);
  return found.id;
}
