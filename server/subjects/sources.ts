import { z } from "zod";
import type { Actor, Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";

const sourceTypes = ["api", "console", "connector", "scim"] as const;
type SourceType = (typeof sourceTypes)[number];

export const sourceSchema = z
  .object({
    type: z.enum(sourceTypes),
    id: z.string().nullable().meta({ description: "The connector; null for api and console." }),
    lastSeenAt: z.iso.datetime().meta({ description: "When the source last wrote the subject." }),
  })
  .meta({ id: "SubjectSource" });
export type SourceView = z.output<typeof sourceSchema>;

/** The source for which an actor's upsert counts: people write in the console, everybody else through the API. */
export const sourceOf = ({ type }: Actor): SourceType => (type === "user" ? "console" : "api");

interface SourceRow {
  subject_id: Id<"sub">;
  type: SourceType;
  source_id: Id<"con">;
  last_seen_at: Date;
}

/** Who provides each of these subjects (contract section 4), in one statement for all of a page. */
export async function sourcesOf(ctx: Ctx, ids: Id<"sub">[]): Promise<Map<Id<"sub">, SourceView[]>> {
  const rows = await reading(ctx).sql<SourceRow>(
    `SELECT source.* FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT subject_id, type, source_id, last_seen_at FROM subject_sources WHERE org_id = $1 AND subject_id = given.id ORDER BY type, source_id OFFSET 0
     ) source`,
    [ctx.orgId, ids],
  );
  const found = new Map<Id<"sub">, SourceView[]>(ids.map((id) => [id, []]));
  for (const { subject_id, type, source_id, last_seen_at } of rows)
    found.get(subject_id)!.push({
      type,
      id: type === "connector" || type === "scim" ? publicId("con", source_id) : null,
      lastSeenAt: last_seen_at.toISOString(),
    });
  return found;
}
