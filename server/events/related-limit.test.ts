import { expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";

it("relatedTo is refused, and not answered in part, for people with more than 10,000 credentials", async () => {
  const w = await world();
  const token = await w.key();
  const template = await publishedTemplate(w.ctx);
  const { credential } = await issueCredential(w.ctx, { subject: { externalId: "s" }, templateId: template.id });
  await revokeCredential(w.ctx, { id: credential.id, reason: "r" });
  const tag = Math.floor(Math.random() * 1e9);
  // Every column but the generated ones.
  const [{ columns }] = (await sql<{ columns: string }>(
    `SELECT string_agg(attname, ', ') AS columns FROM pg_attribute
     WHERE attrelid = 'credentials'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  )) as [{ columns: string }];
  const copied = columns.split(", ").map((name) => `copy.${name}`);
  const copy = (from: number, to: number) =>
    sql(
      `INSERT INTO credentials (${columns}) SELECT ${copied.join(", ")} FROM credentials c, generate_series($2::int, $3::int) AS n,
       LATERAL jsonb_populate_record(c, jsonb_build_object('id', uuidv7(), 'code', lpad($4::text || n, 16, '0'))) AS copy
       WHERE c.org_id = $1 AND c.id = $5`,
      [w.orgId, from, to, tag, credential.id],
    );
  const ask = () => call("GET", `/v1/events?relatedTo=${credential.subjectId}`, { token });
  await copy(1, 9_999);
  expect((await ask()).status).toBe(200);
  await copy(10_000, 10_000);
  const refused = await ask();
  expect([refused.status, refused.json()["errors"]]).toEqual([
    400,
    [expect.objectContaining({ pointer: "/relatedTo", code: "too_big" })],
  ]);
});
