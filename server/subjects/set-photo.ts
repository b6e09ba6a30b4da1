import { z } from "zod";
import { standingOf } from "@/server/access/standing";
import { storeBlob } from "@/server/core/blobs/store";
import { receiveUpload } from "@/server/core/blobs/upload";
import { upload } from "@/server/core/blobs/upload-input";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { changeEvent, photoChange } from "./change-event";
import { subjectErased } from "./erased";
import { loadSubject } from "./load";
import { photoLimit } from "./photo-limits";
import { renderPhoto } from "./photo-renditions";
import { subjectColumns, subjectTag, subjectView, type SubjectRow } from "./view";

/**
 * Sets the portrait of a subject and replaces an existing one. Only its re-encoded renditions are kept
 * (photo-renditions.ts). Emits subject.updated; nothing if the same photo is already set. A different photo must be
 * approved again.
 */
export const setPhoto = command({
  name: "subjects.photo.set",
  scope: "subjects:write",
  input: z.strictObject({ id: id("sub"), ifMatch, photo: upload }),
  tag: subjectTag,
  standing: standingOf,
  async prepare(ctx, input) {
    const { id, erased_at } = await loadSubject(ctx, input.id);
    if (erased_at) throw subjectErased();
    const rendered = await renderPhoto(ctx.orgId, input.photo.path);
    const stored: { rendition: string; sha256: string }[] = [];
    for (const [rendition, bytes] of rendered) {
      const file = await receiveUpload(one(bytes), photoLimit);
      try {
        stored.push({ rendition, sha256: await storeBlob(ctx.orgId, file) });
      } finally {
        await file.discard();
      }
    }
    return { id, stored };
  },
  async run(ctx, input, { id, stored }) {
    const before = await loadSubject(ctx, id, "FOR UPDATE");
    if (before.erased_at) throw subjectErased();
    requireMatch(input.ifMatch, subjectTag(subjectView(before)));
    const [renditions, hashes] = [stored.map((each) => each.rendition), stored.map((each) => each.sha256)];
    const removed = await ctx.tx.sql(
      `DELETE FROM subject_photos WHERE org_id = $1 AND subject_id = $2
       AND (rendition, sha256) NOT IN (SELECT * FROM unnest($3::text[], $4::text[])) RETURNING 1`,
      [ctx.orgId, id, renditions, hashes],
    );
    const added = await ctx.tx.sql(
      `INSERT INTO subject_photos (org_id, subject_id, rendition, sha256) SELECT $1, $2, * FROM unnest($3::text[], $4::text[])
       ON CONFLICT DO NOTHING RETURNING 1`,
      [ctx.orgId, id, renditions, hashes],
    );
    if (removed.length + added.length === 0) return subjectView(before);
    // Decisions identify the photo by this time, so it is later than that of any earlier photo, however the requests
    // overlap.
    const time = "greatest($3::timestamptz, photo_at + interval '1 ms', updated_at + interval '1 ms')";
    const [row] = await ctx.tx.sql<SubjectRow>(
      `UPDATE subjects SET photo_at = ${time}, photo_status = 'pending', photo_reason = NULL, photo_by = $4, updated_at = ${time} WHERE org_id = $1 AND id = $2 RETURNING ${subjectColumns}`,
      [ctx.orgId, id, ctx.now, ctx.actor],
    );
    await append(ctx, changeEvent(row!, photoChange(before)));
    return subjectView(row!);
  },
});

async function* one(bytes: Uint8Array) {
  yield bytes;
}
