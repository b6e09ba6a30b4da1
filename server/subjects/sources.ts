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
    lastSeenAt: z.iso.datetime().meta({
      description:
        "api and console: when they last wrote the subject. A connector: when its file or request last had them.",
    }),
    missingSince: z.iso.datetime().nullable().meta({
      description:
        "Since when a connector's full file does not have them; null while it does, and for api and console.",
    }),
  })
  .meta({ id: "SubjectSource" });
export type SourceView = z.output<typeof sourceSchema>;

/** The source that an actor's upsert records: the console for people, the API for all other actors. */
export const sourceOf = ({ type }: Actor): "api" | "console" => (type === "user" ? "console" : "api");

interface SourceRow {
  subject_id: Id<"sub">;
  type: SourceType;
  source_id: Id<"con">;
  last_seen_at: Date;
  missing_since: Date | null;
}

/** Returns the sources of these subjects (contract section 4), with one statement for a whole page. */
export async function sourcesOf(ctx: Ctx, ids: Id<"sub">[]): Promise<Map<Id<"sub">, SourceView[]>> {
  const rows = await reading(ctx).sql<SourceRow>(
    `SELECT source.subject_id, source.type, source.source_id, source.missing_since,
       CASE WHEN source.missing_since IS NULL THEN greatest(source.last_seen_at, connector.last_full_at) ELSE source.last_seen_at END AS last_seen_at
     FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT * FROM subject_sources WHERE org_id = $1 AND subject_id = given.id ORDER BY type, source_id OFFSET 0
     ) source
     LEFT JOIN LATERAL (
       SELECT id, last_full_at FROM connectors WHERE org_id = $1 AND id = source.source_id AND deleted_at IS NULL OFFSET 0
     ) connector ON true
     WHERE source.type IN ('api', 'console') OR connector.id IS NOT NULL`,
    [ctx.orgId, ids],
  );
  const found = new Map<Id<"sub">, SourceView[]>(ids.map((id) => [id, []]));
  for (const { subject_id, type, source_id, last_seen_at, missing_since } of rows)
    found.get(subject_id)!.push({
      type,
      id: type === "connector" || type === "scim" ? publicId("con", source_id) : null,
      lastSeenAt: last_seen_at.toISOString(),
      missingSince: missing_since?.toISOString() ?? null,
    });
  return found;
}
