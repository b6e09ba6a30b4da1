import { askAgain } from "@/server/confirmations/ask-again";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { reconcileCredentialCounts } from "@/server/credentials/reconcile-counts";
import { newId, publicId, readId, type Id } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { getCredential } from "@/server/credentials/get";
import { issueCredential } from "@/server/credentials/issue";
import { holdersOf } from "@/server/credentials/holders-of";
import { listBulkRows } from "@/server/credentials/list-bulk-rows";
import { statusPlacesOf } from "@/server/issuers/status/entries";
import { signList } from "@/server/issuers/status/sign-list";
import { upsertSubject } from "@/server/subjects/upsert";
import { transaction } from "@/server/core/transaction";
import { recordVerificationEvents } from "@/server/verification/record-verification-events";
import { findByCode } from "@/server/verification/find-by-code";
import { idOf } from "./rows";
import { arrange, type Given, type Call } from "./given";

/** Credentials: issued, changed, listed. */
export function issuingCalls(given: Given): Call[] {
  const { ctx, orgId, at, home, vacant, asking, degree, span, n, numbers, ids, bulk, suspended } = given;
  return [
    { name: "one credential", given: 1, run: () => getCredential(ctx, { id: ids("crd", 1)[0]! }) },
    { name: "one verification", given: 1, run: () => findByCode(String(numbers(1)[0]).padStart(16, "0"), ctx.now) },
    { name: "record shares", given: n, run: () => recordVerificationEvents(ctx, ids("crd").map(shared)) },
    {
      name: "one issue",
      given: 1,
      run: () => issueCredential(ctx, { subject: { id: ids("sub", 1)[0]! }, templateId: vacant, ifExists: "return" }),
    },
    {
      name: "one upsert",
      given: 1,
      run: () => upsertSubject(ctx, { externalId: `x-${numbers(1)[0]}`, displayName: "z" }),
    },
    {
      name: "issue",
      given: n,
      each: 30,
      run: bulk(
        "issue",
        numbers().map((each) => ({ subject: { externalId: `x-${each}` }, templateId: vacant })),
      ),
    },
    {
      name: "issue by id",
      given: n,
      each: 30,
      run: bulk(
        "issue",
        ids("sub").map((id) => ({ subject: { id }, templateId: vacant })),
      ),
    },
    {
      name: "academic credentials that replace others, their places, and the list that shows it",
      given: n,
      each: 80,
      run: async () => {
        const items = ids("sub").map((id) => ({ subject: { id }, templateId: degree, ifExists: "replace" }));
        const { result } = await bulkCredentials(ctx, { action: "issue", items });
        const made = result!.data.map((row) => (row.ok && row.credential ? row.credential.id : ""));
        await bulk(
          "update",
          made.map((id) => ({ id, data: { note: "x" } })),
        )();
        await statusPlacesOf(
          ctx,
          made.map((id) => readId("crd", id)),
        );
        await signList(orgId, "degrees", "revocation", at);
      },
    },
    {
      name: "issue to subjects that are written",
      given: n,
      each: 30,
      run: bulk(
        "issue",
        numbers().map((each) => ({ subject: { externalId: `x-${each}`, displayName: "y" }, templateId: vacant })),
      ),
    },
    {
      name: "ask for names, ask again, and cancel",
      given: n,
      each: 80,
      run: async () => {
        const items = ids("sub").map((id) => ({ subject: { id }, templateId: asking }));
        const { result } = await bulkCredentials(ctx, { action: "issue", items });
        await bulk(
          "issue",
          items.map((each) => ({ ...each, ifExists: "replace" })),
        )();
        const asked = result!.data.flatMap((row) =>
          row.ok && row.nameConfirmation ? [readId("ncf", row.nameConfirmation.id)] : [],
        );
        await transaction((tx) => askAgain({ ...ctx, tx }, asked));
        await transaction((tx) => cancelConfirmations({ ...ctx, tx }, asked, "Left the programme"));
      },
    },
    {
      name: "rows of a job that asks for names",
      given: n,
      each: 80,
      run: async () => {
        const items = ids("sub", 50).map((id) => ({ subject: { id }, templateId: asking, ifExists: "return" }));
        const { job } = await bulkCredentials(ctx, { action: "issue", items, respondAsync: true });
        await runBulkChunk(at);
        await listBulkRows(ctx, { id: job!.id, limit: 100 });
      },
    },
    {
      name: "issue where one is held",
      given: n,
      each: 30,
      run: bulk(
        "issue",
        numbers().map((each) => ({
          subject: { externalId: `x-${each}` },
          templateId: publicId("tpl", home.templateId),
          ifExists: "replace",
        })),
      ),
    },
    { name: "suspend", given: n, run: bulk("suspend", suspended) },
    {
      name: "resume",
      given: n,
      run: bulk(
        "resume",
        suspended.map(({ id }) => ({ id })),
      ),
    },
    {
      name: "update",
      given: n,
      run: bulk(
        "update",
        suspended.map(({ id }) => ({ id, data: { room: 1 }, metadata: { box: 1 } })),
      ),
    },
    { name: "revoke", given: n, run: bulk("revoke", suspended) },
    {
      name: "queue a job",
      given: n,
      run: () =>
        bulkCredentials(ctx, {
          action: "issue",
          items: numbers().map((each) => ({ subject: { externalId: `x-${each}` }, templateId: vacant })),
          respondAsync: true,
        }),
    },
    { name: "issue in a job", given: n, each: 30, run: () => runBulkChunk(at) },
    {
      name: "queue a design for live credentials",
      given: n,
      run: () =>
        applyVersion(
          given,
          numbers().map((each) => idOf("crd", each, at)),
        ),
    },
    { name: "show a design on live credentials", given: n, run: () => runBulkChunk(at) },
    {
      name: "queue a revocation by template",
      given: n,
      run: () =>
        revokeByTemplate(
          given,
          numbers().map((each) => idOf("crd", each, at)),
        ),
    },
    { name: "revoke by template", given: n, run: () => runBulkChunk(at) },
    {
      name: "rows of a job",
      given: 100,
      run: () => listBulkRows(ctx, { id: publicId("blk", home.jobId), limit: 100 }),
    },
    {
      name: "holders of credentials",
      given: 2 * 100,
      run: () => holdersOf(ctx, ids("crd", 100)),
    },
    { name: "correct the counters", given: 3 * (span.to - span.from), run: () => reconcileCredentialCounts(at) },
  ];
}

async function applyVersion(given: Given, ids: Id<"crd">[]): Promise<void> {
  const { ctx, orgId } = given;
  const id = newId("blk");
  const [version] = await arrange<{ id: string }>(
    `SELECT id FROM template_versions WHERE org_id = $1 AND template_id = $2`,
    [orgId, readId("tpl", given.vacant)],
  );
  await arrange(
    `INSERT INTO bulk_jobs (org_id, id, action, actor, scopes, params, total) VALUES ($1, $2, 'apply_version', $3, $4, '{}', $5)`,
    [orgId, id, ctx.actor, [...ctx.scopes], ids.length],
  );
  for (const [index, credential] of ids.entries())
    await arrange(`INSERT INTO bulk_rows (org_id, job_id, "index", input) VALUES ($1, $2, $3, $4)`, [
      orgId,
      id,
      index,
      { uuid: credential, version: version!.id },
    ]);
}

async function revokeByTemplate(given: Given, ids: Id<"crd">[]): Promise<void> {
  const { ctx, orgId } = given;
  const id = newId("blk");
  await arrange(
    `INSERT INTO bulk_jobs (org_id, id, action, actor, params, total) VALUES ($1, $2, 'revoke_template', $3, '{"reason":"r"}', $4)`,
    [orgId, id, ctx.actor, ids.length],
  );
  for (const [index, credential] of ids.entries())
    await arrange(`INSERT INTO bulk_rows (org_id, job_id, "index", input) VALUES ($1, $2, $3, $4)`, [
      orgId,
      id,
      index,
      { uuid: credential },
    ]);
}

const shared = (credentialId: string) => ({
  type: "credential.shared" as const,
  channel: "link" as const,
  facts: {
    object: "verification" as const,
    credentialId,
    code: "0000-0000-0000-0000",
    result: "valid" as const,
    state: "active",
    reason: null,
    via: "page" as const,
    count: 1,
  },
});
