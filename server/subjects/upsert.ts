import type { TxCtx } from "@/server/core/context";
import { existsAlready, ifMatch, ifNoneMatch, notThere, requireMatch } from "@/server/core/entity-tag";
import { command } from "@/server/core/operation";
import { upsertInput } from "./input";
import { subjectColumns, subjectTag, subjectView, type SubjectRow } from "./view";
import { writeSubjects } from "./write";

/**
 * Creates or updates a subject, idempotent on externalId (spec 2.1). Emits subject.created, subject.updated or
 * subject.deactivated; nothing if nothing changed. Does not change credentials.
 *
 * @throws DomainError external_id_taken with `ifExists: "fail"`, naming the subject that has the externalId.
 */
export const upsertSubject = command({
  name: "subjects.upsert",
  scope: "subjects:write",
  input: upsertInput.extend({ ifMatch, ifNoneMatch }),
  async run(ctx, { ifMatch: wanted, ifNoneMatch, ...fields }) {
    const input = ifNoneMatch ? { ...fields, ifExists: "fail" as const } : fields;
    if (wanted !== undefined) await requireUnchanged(ctx, input.externalId, wanted);
    const written = (await writeSubjects(ctx, [input])).get(input.externalId)!;
    if ("error" in written)
      throw ifNoneMatch && written.error.code === "external_id_taken" ? existsAlready() : written.error;
    return { subject: subjectView(written.row), created: written.outcome === "created" };
  },
  tag: ({ subject }) => subjectTag(subject),
});

/** Checks If-Match: the subject must exist and be unchanged. */
async function requireUnchanged(ctx: TxCtx, externalId: string, wanted: string): Promise<void> {
  const [row] = await ctx.tx.sql<SubjectRow>(
    `SELECT ${subjectColumns} FROM subjects WHERE org_id = $1 AND external_id = $2 FOR UPDATE`,
    [ctx.orgId, externalId],
  );
  if (!row) throw notThere("subject with this externalId");
  requireMatch(wanted, subjectTag(subjectView(row)));
}
