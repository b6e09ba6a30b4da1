import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { changeEvent, photoChange } from "./change-event";
import { subjectErased } from "./erased";
import { loadSubject } from "./load";
import { subjectColumns, subjectTag, subjectView, type SubjectRow } from "./view";

/**
 * Removes the portrait of a subject. Requests for it get not_found from the commit on; the sweep of unreferenced files
 * deletes its bytes. Emits subject.updated.
 */
export const deletePhoto = command({
  name: "subjects.photo.delete",
  scope: "subjects:write",
  input: z.strictObject({ id: id("sub"), ifMatch }),
  async run(ctx, input) {
    const before = await loadSubject(ctx, input.id, "FOR UPDATE");
    if (before.erased_at) throw subjectErased();
    requireMatch(input.ifMatch, subjectTag(subjectView(before)));
    if (before.photo_at === null) throw notFound("photo of subject", publicId("sub", input.id));
    await ctx.tx.sql(`DELETE FROM subject_photos WHERE org_id = $1 AND subject_id = $2`, [ctx.orgId, before.id]);
    const [row] = await ctx.tx.sql<SubjectRow>(
      `UPDATE subjects SET photo_at = NULL, photo_status = NULL, photo_reason = NULL, photo_by = NULL, updated_at = greatest($3::timestamptz, photo_at) WHERE org_id = $1 AND id = $2 RETURNING ${subjectColumns}`,
      [ctx.orgId, before.id, ctx.now],
    );
    await append(ctx, changeEvent(row!, photoChange(before)));
  },
});
