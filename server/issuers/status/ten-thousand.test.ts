import { afterAll, beforeAll, expect, it } from "vitest";
import { bulkCredentials } from "@/server/credentials/bulk";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { revokeTemplateCredentials } from "@/server/credentials/revoke-template";
import { getOrganisation } from "@/server/organisations/get";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { statusPurposes } from "./purposes";

// Workers process the jobs of all organisations, so this test has a database of its own.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

const count = 10_000;

it("revoking 10,000 credentials at once signs the list once for all readers, and the other list not at all", async () => {
  const { ctx, orgId } = await world();
  const { slug } = await getOrganisation(ctx, {});
  const { id: templateId } = await publishedTemplate(ctx, { kind: "academic" });
  const runJobs = async () => {
    while (await runBulkChunk(new Date()));
  };
  const read = async (purpose: string) => {
    const { credentialSubject } = (await call("GET", `/public/status/${slug}/${purpose}`)).json<{
      credentialSubject: { encodedList: string };
    }>();
    const list = Bitstring.decode(credentialSubject.encodedList);
    return Array.from({ length: list.length }, (_, index) => list.get(index)).reduce((sum, bit) => sum + bit, 0);
  };
  const items = Array.from({ length: count }, (_, i) => ({ templateId, subject: { externalId: `s-${i}` } }));
  await bulkCredentials(ctx, { action: "issue", items });
  await runJobs();
  expect(await Promise.all(statusPurposes.map(read))).toEqual([0, 0]);

  await revokeTemplateCredentials(ctx, { id: templateId, reason: "Withdrawn", expectedCount: count });
  await runJobs();
  const lists = await Promise.all(Array.from({ length: 20 }, () => read("revocation")));
  expect(new Set(lists)).toEqual(new Set([count]));
  expect(await read("suspension")).toBe(0);
  const signed = await sql(`SELECT purpose, revision FROM status_lists WHERE org_id = $1 ORDER BY purpose`, [orgId]);
  expect(signed).toEqual([
    { purpose: "revocation", revision: 2 },
    { purpose: "suspension", revision: 1 },
  ]);
  const places = await sql(`SELECT DISTINCT index FROM status_entries WHERE org_id = $1`, [orgId]);
  expect(places).toHaveLength(count);
});
