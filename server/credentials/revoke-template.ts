import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadTemplate } from "@/server/templates/load";
import { bulkJobView, queueJob } from "./bulk-job";
import { privateNote, publicReason } from "./input";

/**
 * PostgreSQL's largest integer. No template has this many credentials, so a larger expected count is always a mismatch.
 */
const largestCount = 2_147_483_647;

/**
 * Revokes every credential of a template that is not revoked yet, expired ones included, as a job. The caller sends the
 * expected number; if the actual number differs, nothing happens. Leaves an audit entry; the job emits
 * credential.revoked for each credential.
 */
export const revokeTemplateCredentials = command({
  name: "templates.revoke_credentials",
  scope: "credentials:revoke_template",
  input: z.strictObject({
    id: id("tpl"),
    reason: publicReason,
    note: privateNote,
    expectedCount: z.int().min(1).meta({ description: "How many credentials of the template are not revoked yet." }),
  }),
  async run(ctx, { id: templateId, reason, note, expectedCount }) {
    const template = await loadTemplate(ctx, templateId);
    const jobId = newId("blk");
    const job = await queueJob(ctx, jobId, {
      action: "revoke_template",
      params: { templateId: publicId("tpl", template.id), reason, note },
      total: Math.min(expectedCount, largestCount),
    });
    const [found] = await ctx.tx.sql<{ n: number }>(storeTargets, [ctx.orgId, jobId, template.id, expectedCount]);
    if (found!.n !== expectedCount) {
      throw new DomainError(
        "count_mismatch",
        `The template has ${found!.n} ${found!.n === 1 ? "credential that is" : "credentials that are"} not revoked, not ${expectedCount}. Nothing was done.`,
        {
          members: { count: found!.n, expectedCount },
        },
      );
    }
    return bulkJobView(job);
  },
});

// One statement counts and stores the credentials, so both see the same state of the table.
const storeTargets = `
WITH target AS MATERIALIZED (
  SELECT id FROM credentials WHERE org_id = $1 AND template_id = $3 AND state <> 'revoked'
), found AS (
  SELECT count(*) AS n FROM target
), stored AS (
  INSERT INTO bulk_rows (org_id, job_id, "index", input)
  SELECT $1, $2, row_number() OVER (ORDER BY id) - 1, jsonb_build_object('uuid', id) FROM target WHERE (SELECT n FROM found) = $4::bigint
)
SELECT n FROM found`;
