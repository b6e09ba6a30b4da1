import { z } from "zod";
import { isUniqueViolation } from "@/server/core/db";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { areTooLarge, overgrown } from "./attributes";
import { changeEvent } from "./change-event";
import { dropRemovalsOf } from "./drop-removals";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "./erased";
import { externalId } from "./external-id";
import { externalIdTaken, subjectFields } from "./input";
import { loadSubject } from "./load";
import { forgetAbsence } from "./provide";
import { subjectColumns, subjectTag, subjectView, type SubjectRow } from "./view";

/** Changes a subject by id. Emits the same events as the upsert; nothing if nothing changed. */
export const updateSubject = command({
  name: "subjects.update",
  scope: "subjects:write",
  input: z.strictObject({ id: id("sub"), ifMatch, externalId: externalId.optional(), ...subjectFields }),
  tag: subjectTag,
  async run(ctx, input) {
    const before = await loadSubject(ctx, input.id, "FOR UPDATE");
    if (before.erased_at) throw subjectErased();
    requireMatch(input.ifMatch, subjectTag(subjectView(before)));
    const merged = input.attributesMode === "replace" ? "$7::jsonb" : "merge_attributes(attributes, $7::jsonb)";
    // The unique key decides: if several requests take an externalId at once, one succeeds.
    const [row] = await ctx.tx
      .sql<SubjectRow>(
        `UPDATE subjects SET external_id = $3, display_name = $4, email = $5, status = $6, attributes = ${merged}, updated_at = $8
       WHERE org_id = $1 AND id = $2
         AND (external_id, display_name, email, status, attributes) IS DISTINCT FROM ($3, $4, $5, $6, ${merged})
       RETURNING ${subjectColumns}`,
        [
          ctx.orgId,
          before.id,
          input.externalId ?? before.external_id,
          input.displayName ?? before.display_name,
          input.email === undefined ? before.email : input.email || null,
          input.status ?? before.status,
          JSON.stringify(input.attributes ?? (input.attributesMode === "replace" ? before.attributes : {})),
          ctx.now,
        ],
      )
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw externalIdTaken(undefined);
      });
    if (before.status === "inactive" && input.status) await forgetAbsence(ctx, [before.id]);
    if (!row) return subjectView(before);
    // The API and the console, where they provide the person, keep nobody active whom they made inactive themselves.
    if (row.status === "active" && before.status !== "active") await dropRemovalsOf(ctx, [row.id]);
    if (row.status !== before.status)
      ctx.tx.send(
        `UPDATE subject_sources SET inactive = $3 WHERE org_id = $1 AND subject_id = $2 AND type IN ('api', 'console')`,
        [ctx.orgId, row.id, row.status === "inactive"],
      );
    if (row.external_id !== before.external_id) {
      const [erasureKey] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
      if ((await erasedAmong(ctx, erasureKey, [row.external_id])).size > 0) throw subjectErased();
    }
    if (input.attributes !== undefined && areTooLarge(row.attributes)) throw overgrown();
    await append(
      ctx,
      changeEvent(row, {
        externalId: before.external_id,
        displayName: before.display_name,
        email: before.email,
        status: before.status,
      }),
    );
    return subjectView(row);
  },
});
