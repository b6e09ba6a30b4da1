import { beforeAll, describe, expect, it } from "vitest";
import { advisoryLocks } from "@/server/core/advisory-locks";
import type { Ctx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { bulkCredentials } from "@/server/credentials/bulk";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { issueCredential } from "@/server/credentials/issue";
import { reissueCredential } from "@/server/credentials/reissue";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateCredential } from "@/server/credentials/update";
import { sequenceBatch } from "@/server/consumers";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf, logOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world, type World } from "@/server/testing/world";
import type { Attempt } from "@/server/webhooks/dispatch/attempt";
import { claimDeliveries } from "@/server/webhooks/dispatch/claim";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { recordAttempts } from "@/server/webhooks/dispatch/record";
import { eraseSubject } from "./erase-subject";

beforeAll(ownDatabase);

const mark = "Qxzvy";
const tables = ["subjects", "credentials", "credential_history", "bulk_rows", "events"];

async function rowsWithMark({ orgId }: World): Promise<string[]> {
  const found = await Promise.all(
    tables.map((table) =>
      sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t WHERE org_id = $1 AND t::text LIKE $2`, [
        orgId,
        `%${mark}%`,
      ]),
    ),
  );
  return found.flat().map(({ row }) => row);
}

interface Held {
  w: World;
  subjectId: string;
  credentialId: string;
  templateId: string;
  otherTemplateId: string;
}

async function held(): Promise<Held> {
  const w = await world();
  const [template, other] = [await publishedTemplate(w.ctx, { kind: "academic" }), await publishedTemplate(w.ctx)];
  const { credential } = await issueCredential(w.ctx, {
    subject: { externalId: `id-${mark}`, displayName: mark },
    templateId: template.id,
  });
  return {
    w,
    subjectId: credential.subjectId,
    credentialId: credential.id,
    templateId: template.id,
    otherTemplateId: other.id,
  };
}

const writes: [string, (ctx: Ctx, h: Held) => Promise<unknown>][] = [
  ["an upsert", (ctx) => upsertSubject(ctx, { externalId: `id-${mark}`, displayName: `${mark} 2` })],
  [
    "a bulk upsert",
    (ctx) =>
      bulkUpsertSubjects(ctx, {
        items: [{ externalId: `id-${mark}`, displayName: `${mark} 2` }, { externalId: "somebody-else" }],
      }),
  ],
  ["a change by id", (ctx, h) => updateSubject(ctx, { id: h.subjectId, displayName: `${mark} 2` })],
  [
    "an issue by external id",
    (ctx, h) =>
      issueCredential(ctx, { subject: { externalId: `id-${mark}` }, templateId: h.otherTemplateId, data: { mark } }),
  ],
  [
    "an issue that writes the subject",
    (ctx, h) =>
      issueCredential(ctx, {
        subject: { externalId: `id-${mark}`, displayName: `${mark} 2` },
        templateId: h.otherTemplateId,
        data: { mark },
      }),
  ],
  [
    "an issue by id",
    (ctx, h) => issueCredential(ctx, { subject: { id: h.subjectId }, templateId: h.otherTemplateId, data: { mark } }),
  ],
  [
    "a bulk issue",
    (ctx, h) =>
      bulkCredentials(ctx, {
        action: "issue",
        items: [
          { subject: { externalId: `id-${mark}`, displayName: mark }, templateId: h.otherTemplateId, data: { mark } },
        ],
      }),
  ],
  ["a reissue", (ctx, h) => reissueCredential(ctx, { id: h.credentialId, data: { mark } })],
  ["a change of a credential", (ctx, h) => updateCredential(ctx, { id: h.credentialId, data: { mark } })],
  ["a suspension", (ctx, h) => suspendCredential(ctx, { id: h.credentialId })],
];

const blocked = async (count: number) => {
  await untilWaitingForLock(count);
};

describe.each(writes)("%s at the same moment as an erasure", (_, write) => {
  it("leaves no personal data behind if it comes second", async () => {
    const h = await held();
    let writing: Promise<unknown>;
    await transaction(async (tx) => {
      await eraseSubject({ ...h.w.ctx, tx }, { id: h.subjectId, reason: "r" });
      writing = write(h.w.ctx, h).catch((error: unknown) => error);
      await blocked(1);
    });
    await writing!;
    expect(await rowsWithMark(h.w)).toEqual([]);
  });

  it("leaves no personal data behind if it comes first", async () => {
    const h = await held();
    let erasing: Promise<unknown>;
    await transaction(async (tx) => {
      await write({ ...h.w.ctx, tx }, h);
      erasing = eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" });
      await blocked(1);
    });
    await erasing!;
    expect(await rowsWithMark(h.w)).toEqual([]);
  });
});

it("a bulk job whose rows name the person leaves no personal data behind, before or after the erasure", async () => {
  for (const erasesFirst of [true, false]) {
    const h = await held();
    await bulkCredentials(h.w.ctx, {
      action: "issue",
      items: [
        {
          subject: { externalId: `id-${mark}`, displayName: `${mark} 3` },
          templateId: h.otherTemplateId,
          data: { mark },
        },
        {
          subject: { externalId: `id-${mark}`, displayName: mark, email: "no address" },
          templateId: h.otherTemplateId,
        },
      ],
      respondAsync: true,
    });
    const erase = () => eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" });
    if (erasesFirst) {
      await transaction(async (tx) => {
        await eraseSubject({ ...h.w.ctx, tx }, { id: h.subjectId, reason: "r" });
        void runBulkChunk(new Date());
        await blocked(1);
      });
      while (await runBulkChunk(new Date()));
    } else await Promise.all([runBulkChunk(new Date()), erase()]);
    while (await runBulkChunk(new Date()));
    expect(await rowsWithMark(h.w)).toEqual([]);
  }
});

it("a sequencer that runs during an erasure numbers every event once, with the blanked body", async () => {
  const h = await held();
  for (let i = 0; i < 20; i++) await upsertSubject(h.w.ctx, { externalId: `id-${mark}`, displayName: `${mark} ${i}` });
  await Promise.all([
    sequenceBatch(3),
    eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" }),
    sequenceBatch(3),
    sequenceBatch(3),
  ]);
  while ((await sequenceBatch(3)).more);
  const rows = await logOf(h.w.orgId);
  expect(rows).toHaveLength((await eventsOf(h.w.orgId)).length);
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, i) => i + 1));
  expect(rows.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence)).toEqual(
    rows.map(({ sequence }) => sequence),
  );
  expect(rows.filter(({ body }) => body.includes(mark))).toEqual([]);
});

it("erasure does not wait for the sequencer", async () => {
  const h = await held();
  await transaction(async (tx) => {
    await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [advisoryLocks.sequencer]);
    await eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" });
  });
  expect(await rowsWithMark(h.w)).toEqual([]);
});

describe("an attempt that is recorded at the same moment as an erasure", () => {
  async function delivered() {
    const h = await held();
    await createWebhookEndpoint(h.w.ctx, { url: "https://example.edu/hooks" });
    await upsertSubject(h.w.ctx, { externalId: `id-${mark}`, displayName: `${mark} 2` });
    while ((await sequenceBatch(500)).events > 0);
    const now = new Date();
    const endpoints = await sql<{ id: Id<"whe"> }>(`SELECT id FROM webhook_endpoints WHERE org_id = $1`, [h.w.orgId]);
    const claimed = await claimDeliveries(
      endpoints.map(({ id }) => ({ orgId: h.w.orgId, endpointId: id, slots: 10, after: null })),
      now,
      newId("req"),
    );
    expect(claimed.length).toBeGreaterThan(0);
    const attempts = claimed.map(
      (delivery): Attempt => ({
        id: newId("att"),
        delivery,
        outcome: "succeeded",
        retryAt: null,
        startedAt: now,
        requestHeaders: {},
        address: null,
        statusCode: 200,
        errorClass: null,
        errorDetail: null,
        durationMs: 1,
        responseHeaders: { echo: mark },
        responseBody: mark,
        responseTruncated: false,
      }),
    );
    /** Returns the stored responses to events about the person; there must be at least two. */
    const answers = async () => {
      const rows = await sql<{ body: string | null; headers: object | null }>(
        `SELECT response_body AS body, response_headers AS headers FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
         WHERE a.org_id = $1 AND (e.erased OR e.type LIKE 'subject.%')`,
        [h.w.orgId],
      );
      expect(rows.length).toBeGreaterThan(1);
      return rows;
    };
    return { h, attempts, answers };
  }

  it("stores no response if it is recorded before the erasure commits", async () => {
    const { h, attempts, answers } = await delivered();
    await transaction(async (tx) => {
      await eraseSubject({ ...h.w.ctx, tx }, { id: h.subjectId, reason: "r" });
      await recordAttempts(attempts);
    });
    for (const answer of await answers()) expect(answer).toEqual({ body: null, headers: null });
  });

  it("stores no response if the erasure begins before it commits", async () => {
    const { h, attempts, answers } = await delivered();
    let erasing: Promise<unknown>;
    await transaction(async (tx) => {
      await recordAttempts(attempts, tx.sql);
      erasing = eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" });
      await blocked(1);
    });
    await erasing!;
    for (const answer of await answers()) expect(answer).toEqual({ body: null, headers: null });
  });

  it("stores its response if nobody is erased", async () => {
    const { attempts, answers } = await delivered();
    await recordAttempts(attempts);
    for (const answer of await answers()) expect(answer).toEqual({ body: mark, headers: { echo: mark } });
  });
});

it("two concurrent erasures of the same person have the effect of one", async () => {
  const h = await held();
  const [one, other] = await Promise.all([1, 2].map(() => eraseSubject(h.w.ctx, { id: h.subjectId, reason: "r" })));
  expect(one).toEqual(other);
  expect(
    await sql(`SELECT id FROM audit_entries WHERE org_id = $1 AND action = 'subject.erased'`, [h.w.orgId]),
  ).toHaveLength(1);
});
