import type { QueryConfig } from "pg";
import { describe, expect, it, vi } from "vitest";
import { pool } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { createApiKey } from "./create-api-key";
import { listAudit } from "./list-audit";
import { revokeApiKey } from "./revoke-api-key";

describe("the audit log", () => {
  it("lists commands with and without events, newest first, page by page, numbered or not", async () => {
    const { ctx } = await world();
    const key = await createApiKey(ctx, { name: "SIS" });
    const { subject } = await upsertSubject({ ...ctx, actor: { type: "api_key", id: key.id } }, { externalId: "1" });
    await sequenceBatch();
    await upsertSubject(ctx, { externalId: "1", displayName: "Ada" });
    await revokeApiKey(ctx, { id: key.id });

    const pages = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listAudit(ctx, { limit: 2, ...(cursor && { cursor }) });
      pages.push(page.data.map((entry) => entry.action));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([
      ["api_key.revoked", "subject.updated"],
      ["subject.created", "api_key.created"],
      ["organisation.created"],
    ]);
    expect(await listAudit(ctx, { offset: 1, limit: 1 })).toMatchObject({
      data: [{ action: "subject.updated" }],
      total: 5,
    });

    const byKey = await listAudit(ctx, { actorId: key.id });
    expect(byKey.data).toMatchObject([
      {
        action: "subject.created",
        actor: { type: "api_key", name: "SIS" },
        target: { type: "subject", id: subject.id },
      },
    ]);
    expect((await listAudit(ctx, { targetId: key.id })).data.map((e) => e.action)).toEqual([
      "api_key.revoked",
      "api_key.created",
    ]);
    const actions = async (filter: object) => {
      const { data, total } = await listAudit(ctx, { ...filter, offset: 0 });
      expect(total).toBe(data.length);
      return data.map((entry) => entry.action);
    };
    expect(await actions({ targetId: `${key.id},${subject.id}` })).toEqual([
      "api_key.revoked",
      "subject.updated",
      "subject.created",
      "api_key.created",
    ]);
    expect(await actions({ actorId: `${key.id}, test`, targetId: subject.id })).toEqual([
      "subject.updated",
      "subject.created",
    ]);
    await expect(listAudit(ctx, { actorId: "" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("skips events of the public by an index, page by page", async () => {
    const { ctx, orgId } = await world();
    await sql(
      `INSERT INTO events (org_id, id, type, resource_id, body)
       SELECT $1, uuidv7(), 'credential.verified', uuidv7(), '{"actor":{"type":"public","id":"public"}' FROM generate_series(1, 3000) AS n`,
      [orgId],
    );
    await sql("ANALYZE events");
    const asked = vi.spyOn(pool(), "query");
    const { data } = await listAudit(ctx, { cursor: (await listAudit(ctx, { limit: 1 })).nextCursor ?? undefined });
    const { text, values } = asked.mock.calls
      .map(([query]) => query as unknown as QueryConfig)
      .find((query) => query.text.includes("UNION ALL"))!;
    asked.mockRestore();
    expect(data.map((entry) => entry.action)).toEqual(["organisation.created"]);
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      const plan = await transaction(async (tx) => {
        await tx.sql(`SET LOCAL plan_cache_mode = ${mode}`);
        return tx.sql<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      });
      const lines = plan.map((row) => row["QUERY PLAN"]);
      // Of the indexes of a partition by org_id and id, the one of `events_commands_idx` needs no filter by type.
      expect(lines.join("\n")).toMatch(/Index Scan Backward using events_\d{8}_org_id_id_idx /);
      expect(lines.join("\n")).not.toMatch(/Filter: .*type/);
      expect(lines.join("\n")).toMatch(/Index Cond:.* \(id < /);
    }
  });

  it("shows nothing of another organisation, and requires audit:read", async () => {
    const [mine, other] = [await world(), await world()];
    await createApiKey(mine.ctx, { name: "SIS" });
    expect((await listAudit(other.ctx, {})).data.map((e) => e.action)).toEqual(["organisation.created"]);
    await expect(listAudit(mine.as("events:read"), {})).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});
