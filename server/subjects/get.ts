import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { awaitsPhotoApproval } from "./filter";
import { loadSubject } from "./load";
import { sourcesOf } from "./sources";
import { subjectSchema, subjectTag, subjectView } from "./view";

/** SQL: whether a staged removal `r` can still happen, as server/scim/removals/due.ts has it for memberships. */
const canHappen = `(r.group_id IS NULL OR EXISTS (
  SELECT FROM group_members m WHERE m.org_id = ${opaque("$1")} AND m.group_id = r.group_id AND m.subject_id = r.subject_id AND m.added_at <= r.staged_at))`;

export const subjectWithCountsSchema = subjectSchema
  .extend({
    credentialCount: z.int().meta({ description: "All that the subject ever held." }),
    activeCredentialCount: z.int().meta({ description: "Those valid now." }),
    awaitsPhotoApproval: z.boolean().meta({
      description:
        "Whether the photo is pending and a template of a credential that they hold waits for it (photoApproval).",
    }),
    staged: z.boolean().meta({
      description: "Whether a directory wants them deactivated or removed from a group, which waits for a person.",
    }),
  })
  .meta({ id: "SubjectWithCounts" });

/** Returns one subject with the number of credentials that it ever held and of those that it holds now (spec 2.1). */
export const getSubject = query({
  name: "subjects.get",
  scope: "subjects:read",
  input: z.strictObject({ id: id("sub") }),
  tag: subjectTag,
  async run(ctx, input) {
    const row = await loadSubject(ctx, input.id);
    const [counts] = await reading(ctx).sql<{ credentialCount: number; activeCredentialCount: number }>(
      `SELECT count(*) AS "credentialCount",
         count(*) FILTER (WHERE state IN ('pending', 'active') AND valid_from <= $3 AND (expires_at IS NULL OR expires_at > $3)) AS "activeCredentialCount"
       FROM credentials WHERE org_id = $1 AND subject_id = $2`,
      [ctx.orgId, row.id, ctx.now],
    );
    const [photo] = await reading(ctx).sql<{ awaits: boolean }>(
      `SELECT ${awaitsPhotoApproval} AS awaits FROM subjects WHERE org_id = ${opaque("$1")} AND id = $2`,
      [ctx.orgId, row.id],
    );
    const [waiting] = await reading(ctx).sql<{ staged: boolean }>(
      `SELECT EXISTS (SELECT FROM scim_removals r WHERE org_id = ${opaque("$1")} AND subject_id = $2 AND state = 'staged' AND ${canHappen}) AS staged`,
      [ctx.orgId, row.id],
    );
    const sources = (await sourcesOf(ctx, [row.id])).get(row.id)!;
    return { ...subjectView(row), sources, ...counts!, ...waiting!, awaitsPhotoApproval: photo?.awaits ?? false };
  },
});
