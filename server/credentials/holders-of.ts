import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { readId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";

export interface Holder {
  externalId: string;
  name: string;
}

/** Returns the holder of each credential. Leaves out credentials that are not found and holders who were erased. */
export async function holdersOf(ctx: Ctx, credentialIds: readonly string[]): Promise<Map<string, Holder>> {
  const found = await reading(ctx).sql<Holder & { n: number }>(
    `SELECT given.n::int AS n, s.external_id AS "externalId", s.display_name AS name
     FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, n)
     CROSS JOIN LATERAL (SELECT subject_id FROM credentials WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = c.subject_id OFFSET 0) s
     WHERE s.erased_at IS NULL`,
    [ctx.orgId, credentialIds.map((id) => readId("crd", id))],
  );
  return new Map(found.map(({ n, ...holder }) => [credentialIds[n - 1]!, holder]));
}
