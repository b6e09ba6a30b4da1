import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId, readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { countCredentials } from "./counts";
import { credentialDays } from "./daily";
import { foldCredentialCounts } from "./fold-counts";
import { reconcileCredentialCounts } from "./reconcile-counts";
import { reissueCredential } from "./reissue";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { stateAt } from "./state-sql";
import { suspendCredential } from "./suspend";
import { applyClockToDueCredentials } from "./sweep";
import { updateCredential } from "./update";

// Folding covers all organisations, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

const deltas = async () =>
  (
    await sql<{ n: number }>(
      `SELECT (SELECT count(*) FROM credential_count_deltas) + (SELECT count(*) FROM credential_action_deltas) AS n`,
    )
  )[0]!.n;

/** Counts the credentials one by one. */
async function counted(w: World, at: string, templateId?: string) {
  const rows = await sql<{ state: string; n: number }>(
    `SELECT ${stateAt("$2")} AS state, count(*) AS n FROM credentials c WHERE org_id = $1 AND ($3::uuid IS NULL OR template_id = $3) GROUP BY 1`,
    [w.orgId, new Date(at), templateId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

describe("counts of credentials", () => {
  it("equal those of the rows after each kind of change, at any time, whether or not the deltas are folded", async () => {
    const w = await world();
    const may = w.at("2026-05-01T00:00:00Z");
    const [one, two] = [await publishedTemplate(may), await publishedTemplate(may, { kind: "employee_id" })];
    const times = ["2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "2027-06-01T00:00:00Z"];
    const expectExact = async () => {
      for (const at of times)
        for (const templateId of [undefined, one.id, two.id]) {
          const { states, total } = await countCredentials(w.at(at), { ...(templateId && { templateId }) });
          const rows = await counted(w, at, templateId);
          expect([at, templateId, states]).toEqual([
            at,
            templateId,
            { pending: 0, active: 0, suspended: 0, expired: 0, revoked: 0, ...rows },
          ]);
          expect(total).toBe(Object.values(rows).reduce((sum, n) => sum + n, 0));
        }
    };
    await expectExact();
    const a = await issued(may, one.id);
    const b = await issued(may, one.id, { expiresAt: "2026-05-20T00:00:00Z" });
    const c = await issued(may, two.id, { validFrom: "2026-05-10T00:00:00Z", expiresAt: "2026-12-31T00:00:00Z" });
    const d = await issued(may, two.id);
    await expectExact();
    const steps = [
      () =>
        bulkCredentials(may, {
          action: "issue",
          items: [
            { subject: { externalId: "p" }, templateId: one.id },
            { subject: { externalId: "q" }, templateId: two.id },
            { subject: { externalId: "p" }, templateId: one.id },
          ],
        }),
      () => suspendCredential(may, { id: a.id }),
      () => suspendCredential(may, { id: a.id }),
      () => updateCredential(may, { id: b.id, metadata: { note: "x" } }),
      () => resumeCredential(may, { id: a.id }),
      () => reissueCredential(may, { id: a.id }),
      () => applyClockToDueCredentials(new Date("2026-05-15T00:00:00Z")),
      () => applyClockToDueCredentials(new Date("2026-06-15T00:00:00Z")),
      () => revokeCredential(may, { id: c.id, reason: "Ended" }),
      () => eraseSubject(w.ctx, { id: d.subjectId, reason: "asked" }),
      () => sql(`DELETE FROM credentials WHERE org_id = $1 AND id = $2`, [w.orgId, b.id]),
    ];
    for (const step of steps) {
      await step();
      await expectExact();
      await foldCredentialCounts(1);
      await expectExact();
    }
    while ((await foldCredentialCounts()) > 0) await expectExact();
    expect(await deltas()).toBe(0);
    await expectExact();
  });

  it("ignore a rolled-back transaction, and include a transaction's own changes within it", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await expect(
      transaction(async (tx) => {
        const subjectId = newId("sub");
        await tx.sql(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'one')`, [w.orgId, subjectId]);
        await tx.sql(
          `INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, source_type)
           SELECT $1, uuidv7(), 'undone', $3, $2, id, 'membership', 'active', now(), 'api' FROM template_versions WHERE org_id = $1 AND template_id = $2`,
          [w.orgId, readId("tpl", template.id), subjectId],
        );
        expect(await countCredentials({ ...w.ctx, tx }, {})).toMatchObject({ total: 1 });
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await countCredentials(w.ctx, {})).toMatchObject({ total: 0 });
  });

  it("include every credential once while others issue, expire and fold at the same time", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const credentials = [];
    for (let i = 0; i < 8; i++) credentials.push(await issued(w.ctx, template.id));
    let busy = true;
    const changing = Promise.all(
      credentials.map(async ({ id }) => {
        for (let i = 0; i < 10; i++) await (i % 2 === 0 ? suspendCredential : resumeCredential)(w.ctx, { id });
      }),
    ).finally(() => (busy = false));
    const folding = Promise.all(
      [1, 2].map(async () => {
        while (busy) await foldCredentialCounts(3);
      }),
    );
    const totals = new Set<number>();
    while (busy) totals.add((await countCredentials(w.ctx, {})).total);
    await Promise.all([changing, folding]);
    expect([...totals]).toEqual([8]);
    expect(await countCredentials(w.ctx, {})).toMatchObject({ states: { active: 8, suspended: 0 } });
  });

  it("are corrected, as are those by day, after rows were loaded without triggers, and stay unchanged if they are right", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const first = await issued(w.ctx, template.id);
    await foldCredentialCounts();
    expect(await reconcileCredentialCounts(w.ctx.now)).toBe(0);
    await transaction(async (tx) => {
      await tx.sql("SET LOCAL session_replication_role = replica");
      await tx.sql(`UPDATE credentials SET state = 'expired' WHERE org_id = $1 AND id = $2`, [
        w.orgId,
        readId("crd", first.id),
      ]);
      await tx.sql(
        `INSERT INTO credential_history SELECT org_id, uuidv7(), credential_id, 'suspended', from_state, to_state, reason, note, actor, created_at FROM credential_history WHERE org_id = $1`,
        [w.orgId],
      );
    });
    expect(await countCredentials(w.ctx, {})).toMatchObject({ states: { active: 1, expired: 0 } });
    expect(await reconcileCredentialCounts(w.ctx.now)).toBe(3);
    expect(await countCredentials(w.ctx, {})).toMatchObject({ states: { active: 0, expired: 1 } });
    expect((await credentialDays(w.ctx, {})).at(-1)).toMatchObject({ issued: 1, suspended: 1 });
    expect(await reconcileCredentialCounts(w.ctx.now)).toBe(0);
  });
});
