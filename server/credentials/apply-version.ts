import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { versionPath } from "@/server/templates/input";
import { loadTemplate, loadVersion } from "@/server/templates/load";
import { bulkJobView, queueJob } from "./bulk-job";
import { stateAt } from "./state-sql";

/** PostgreSQL's largest integer: see revoke-template.ts. */
const largestCount = 2_147_483_647;

/**
 * Applies a published version to the existing live credentials of its template, as a job: active, suspended and pending
 * ones. The caller sends the expected number; if the actual number differs, nothing happens. Leaves an audit entry; the
 * job emits credential.updated for each credential that had another version. Academic credentials keep their version
 * permanently.
 *
 * @throws DomainError `version_state` if the version is not published; `wrong_kind` for an academic template;
 * `count_mismatch`
 */
export const applyTemplateVersion = command({
  name: "templates.versions.apply",
  scope: "credentials:issue",
  input: z.strictObject({
    ...versionPath,
    expectedCount: z.int().min(1).meta({
      description: "How many credentials of the template are active, suspended or pending.",
    }),
  }),
  async run(ctx, { id, version: number, expectedCount }) {
    const template = await loadTemplate(ctx, id);
    const version = await loadVersion(ctx, template.id, number);
    if (template.kind === "academic")
      throw new DomainError(
        "wrong_kind",
        "Academic credentials keep the version that they were issued from. Reissue one to give it the new design.",
      );
    if (version.status !== "published")
      throw new DomainError(
        "version_state",
        `Version ${number} is ${version.status}. Publish it before credentials show it.`,
        { members: { state: version.status, action: "apply" } },
      );
    const jobId = newId("blk");
    const job = await queueJob(ctx, jobId, {
      action: "apply_version",
      params: { templateId: publicId("tpl", template.id) },
      total: Math.min(expectedCount, largestCount),
    });
    const [found] = await ctx.tx.sql<{ n: number }>(storeTargets, [
      ctx.orgId,
      jobId,
      template.id,
      expectedCount,
      ctx.now,
      version.id,
    ]);
    if (found!.n !== expectedCount)
      throw new DomainError(
        "count_mismatch",
        `The template has ${found!.n} live ${found!.n === 1 ? "credential" : "credentials"}, not ${expectedCount}. Nothing was done.`,
        { members: { count: found!.n, expectedCount } },
      );
    return bulkJobView(job);
  },
});

// One statement counts and stores the credentials, so both see the same state of the table.
const storeTargets = `
WITH target AS MATERIALIZED (
  SELECT c.id FROM credentials c WHERE c.org_id = $1 AND c.template_id = $3 AND ${stateAt("$5")} IN ('pending', 'active', 'suspended')
), found AS (
  SELECT count(*) AS n FROM target
), stored AS (
  INSERT INTO bulk_rows (org_id, job_id, "index", input)
  SELECT $1, $2, row_number() OVER (ORDER BY id) - 1, jsonb_build_object('uuid', id, 'version', $6::uuid) FROM target
  WHERE (SELECT n FROM found) = $4::bigint
)
SELECT n FROM found`;
