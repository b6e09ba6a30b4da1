import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { transaction } from "@/server/core/transaction";
import { newId, publicId, readId } from "@/server/core/ids";
import { upsertSubject } from "@/server/subjects/upsert";
import { runChild, type Child } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock, waitingForLock } from "@/server/testing/waiting-for-lock";
import { claimDeliveries } from "./claim";
import { leaseMs } from "./delivery-leases";
import { Dispatcher } from "./dispatcher";
import type { Received } from "@/server/webhooks/testing/listener";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
const stage = useStage();

/** Inserts `count` deliveries of one event to an endpoint, due since `ago` milliseconds. */
async function backlog(s: Stage, endpointId: string, count: number, ago = 0): Promise<void> {
  const [event] = await sql<{ id: string }>(`SELECT id FROM event_log WHERE org_id = $1 LIMIT 1`, [s.world.orgId]);
  await sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at)
     SELECT $1, uuidv7(), $2, $3, 'subject.created', n, $4 FROM generate_series(1, $5::int) AS n`,
    [s.world.orgId, endpointId, event!.id, new Date(s.now.getTime() - ago), count],
  );
}

/** Leaves requests to a path unanswered and returns their responses, so that a test can answer them later. */
function holdAt(s: Stage, path: string): ServerResponse[] {
  const held: ServerResponse[] = [];
  s.listener.answer = (request, response) =>
    void (request.path === path ? held.push(response) : response.writeHead(204).end());
  return held;
}

/**
 * Kills a process once its statement waits for a lock, and ends its database session too: otherwise PostgreSQL might
 * complete the statement after the lock is released.
 */
async function killAtLock(child: Child): Promise<void> {
  await untilWaitingForLock(1);
  await child.kill();
  await sql(`SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::int[]) AS pid`, [await waitingForLock()]);
}

const attemptsMade = (requests: Received[]) =>
  requests.map((r) => `${String(r.headers["svc-delivery-id"])} ${String(r.headers["svc-attempt"])}`);

describe("isolation", () => {
  it("deliveries to other endpoints go out while one endpoint with a backlog of 20,000 hangs with at most 16 open requests", async () => {
    const s = stage();
    const held = holdAt(s, "/hanging");
    const hanging = await s.endpoint("/hanging");
    const others = await Promise.all(Array.from({ length: 5 }, (_, i) => s.endpoint(`/other-${i}`)));
    await s.happen();
    await backlog(s, hanging.id, 20_000, 60_000);
    s.dispatcher.wake();
    await s.listener.until(10, "/hanging");
    await s.happen(20);
    s.dispatcher.wake(others.map(({ id }) => ({ orgId: s.world.orgId, endpointId: readId("whe", id) })));
    for (let i = 0; i < 5; i++) expect(await s.listener.until(21, `/other-${i}`)).toHaveLength(21);
    expect(held.length).toBeLessThanOrEqual(16);
    await s.listener.close();
  });

  it("an endpoint is served while two others at the same host, which answered until then, leave all their requests hanging", async () => {
    const s = stage();
    const hanging = [await s.endpoint("/first"), await s.endpoint("/second")];
    await s.happen();
    for (const { id } of hanging) await backlog(s, id, 1000);
    let givenUp = 0;
    s.listener.answer = (request, response) => {
      if (s.listener.to(request.path).length < 400) response.writeHead(204).end();
      else response.once("close", () => givenUp++);
    };
    s.dispatcher.wake();
    for (const path of ["/first", "/second"]) await s.listener.until(490, path);
    const other = await s.endpoint("/other");
    s.listener.answer = (_, response) => response.writeHead(204).end();
    await s.happen();
    s.dispatcher.wake([{ orgId: s.world.orgId, endpointId: readId("whe", other.id) }]);
    await s.listener.until(1, "/other");
    expect(givenUp).toBe(0);
    await s.listener.close();
  });

  it("deliveries that another process created are found while this process works through a backlog", async () => {
    const s = stage();
    const busy = await s.endpoint("/busy");
    await s.endpoint("/quiet");
    await s.happen();
    await s.send();
    await backlog(s, busy.id, 1500);
    s.dispatcher.wake([{ orgId: s.world.orgId, endpointId: readId("whe", busy.id) }]);
    await s.listener.until(50, "/busy");
    await s.happen();
    const atArrival = await s.listener.until(2, "/quiet").then(() => s.listener.to("/busy").length);
    expect(atArrival).toBeLessThan(1500);
    await s.dispatcher.settled();
    expect(s.listener.to("/busy")).toHaveLength(1502);
  });

  it("an endpoint with a rate limit gets deliveries no faster than that", async () => {
    const s = stage();
    const { id } = await s.endpoint("/hooks", { rateLimit: 20 });
    await s.happen();
    await s.send();
    await backlog(s, id, 30);
    const sent: number[] = [];
    for (let tenth = 0; tenth < 5; tenth++) {
      s.advance(100);
      await s.send();
      s.dispatcher.wake([{ orgId: s.world.orgId, endpointId: readId("whe", id) }]);
      await s.dispatcher.settled();
      sent.push(s.listener.to("/hooks").length);
    }
    expect(sent).toEqual([3, 5, 7, 9, 11]);
  });

  it("an endpoint with a rate limit and no row in webhook_paces gets all its deliveries, no faster than the limit", async () => {
    const s = stage();
    const { id } = await s.endpoint("/hooks", { rateLimit: 10 });
    await sql(`DELETE FROM webhook_paces WHERE endpoint_id = $1`, [id]);
    await s.happen(3);
    const sent: number[] = [];
    for (let tenth = 0; tenth < 3; tenth++, s.advance(100)) {
      for (let i = 0; i < 2; i++) await s.send();
      sent.push(s.listener.received.length);
    }
    expect(sent).toEqual([1, 2, 3]);
  });

  it("a rate limit holds across concurrent claims of several processes, from the second in which it is set", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await backlog(s, id, 30);
    await updateWebhookEndpoint(s.ctx, { id, rateLimit: 1 });
    const other = await s.endpoint("/other", { rateLimit: 10 });
    await backlog(s, other.id, 10);
    const wanted = [other.id, id].map((endpointId) => ({
      orgId: s.world.orgId,
      endpointId: readId("whe", endpointId),
      slots: 16,
      after: null,
    }));
    const sent: number[][] = [];
    for (let second = 0; second < 5; second++, s.advance(1000)) {
      const claims = await Promise.all(
        Array.from({ length: 6 }, (_, n) => claimDeliveries(n % 2 ? wanted : wanted.toReversed(), s.now, newId("req"))),
      );
      sent.push(
        [id, other.id].map(
          (endpointId) =>
            claims.flat().filter((delivery) => publicId("whe", delivery.endpointId) === endpointId).length,
        ),
      );
    }
    expect(sent).toEqual(Array.from({ length: 5 }, () => [1, 1]));
  });
});

describe("two processes", () => {
  it("share the work and make no attempt twice", async () => {
    const s = stage();
    const endpoints = await Promise.all(Array.from({ length: 4 }, (_, i) => s.endpoint(`/hooks-${i}`)));
    s.listener.answer = (_, response) =>
      void setImmediate(() => response.writeHead(Math.random() < 0.2 ? 500 : 204).end());
    await s.happen();
    for (const { id } of endpoints) await backlog(s, id, 400);
    const second = new Dispatcher(() => s.now);
    for (const dispatcher of [s.dispatcher, second]) dispatcher.wake();
    await Promise.all([s.dispatcher.settled(), second.settled()]);
    const made = attemptsMade(s.listener.received);
    expect([made.length, new Set(made).size]).toEqual([1604, 1604]);
    const [logged] = await sql<{ attempts: number; done: number }>(
      `SELECT (SELECT count(*) FROM webhook_attempts WHERE org_id = $1) AS attempts,
         (SELECT count(*) FROM webhook_deliveries WHERE org_id = $1 AND attempt_count = 1 AND claim_id IS NULL) AS done`,
      [s.world.orgId],
    );
    expect(logged).toEqual({ attempts: 1604, done: 1604 });
    await second.stop({ graceMs: 1000 });
  });

  it("do not send a delivery that the other has leased, and a result recorded after the lease was lost does not change it", async () => {
    const s = stage();
    const held = holdAt(s, "/hooks");
    const { id } = await s.endpoint();
    await s.happen();
    s.dispatcher.wake();
    await s.listener.until(1);
    const second = new Dispatcher(() => s.now);
    await second.drain({ withinMs: 5000 });
    expect(s.listener.to("/hooks")).toHaveLength(1);
    s.advance(leaseMs + 1);
    second.wake();
    await s.listener.until(2);
    held[1]!.writeHead(204).end();
    await second.settled();
    held[0]!.writeHead(500).end();
    await s.dispatcher.settled();
    const [delivery] = await s.deliveries(id);
    expect(delivery).toMatchObject({ status: "succeeded", attemptCount: 1 });
    expect((await s.attempts(delivery!.id)).map((a) => a.statusCode).sort()).toEqual([204, 500]);
    await second.stop({ graceMs: 1000 });
  });
});

describe("a process that is killed", () => {
  it("during a request loses nothing: the same attempt is made again with the same bytes", async () => {
    const s = stage();
    holdAt(s, "/hooks");
    const { id } = await s.endpoint();
    await s.happen(3);
    const child = await runChild("server/webhooks/dispatch/dispatcher.child.ts");
    await s.listener.until(3);
    await child.kill();
    s.listener.answer = (_, response) => response.writeHead(204).end();
    await s.send();
    expect(s.listener.to("/hooks")).toHaveLength(3);
    s.advance(2 * leaseMs);
    await s.send();
    const requests = s.listener.to("/hooks");
    const [first, second] = [requests.slice(0, 3), requests.slice(3)].map((some) =>
      some.map((r) => `${attemptsMade([r])[0]} ${r.body}`).sort(),
    );
    expect([second!.length, second]).toEqual([3, first]);
    expect((await s.deliveries(id)).map((d) => [d.status, d.attemptCount])).toEqual(
      Array.from({ length: 3 }, () => ["succeeded", 1]),
    );
  });

  it("between a response and its record has its attempt made again and logged once", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await transaction(async (tx) => {
      await tx.sql(`LOCK TABLE webhook_attempts IN ACCESS EXCLUSIVE MODE`);
      const child = await runChild("server/webhooks/dispatch/dispatcher.child.ts");
      await s.listener.until(1);
      await killAtLock(child);
    });
    s.advance(2 * leaseMs);
    await s.send();
    const [first, second] = s.listener.to("/hooks");
    expect([attemptsMade([second!]), second!.body]).toEqual([attemptsMade([first!]), first!.body]);
    const [delivery] = await s.deliveries(id);
    expect([delivery!.status, delivery!.attemptCount, (await s.attempts(delivery!.id)).length]).toEqual([
      "succeeded",
      1,
      1,
    ]);
  });

  it("while numbering events leaves them to the next process: no gap in sequences and no delivery twice", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    for (let i = 0; i < 5; i++) await upsertSubject(s.ctx, { externalId: `k-${i}` });
    await transaction(async (tx) => {
      await tx.sql(`LOCK TABLE webhook_deliveries IN SHARE MODE`);
      const child = await runChild("server/webhooks/dispatch/sequencer.child.ts");
      await killAtLock(child);
    });
    await s.sequence();
    await s.send();
    const sequences = s.listener.to("/hooks").map((r) => (JSON.parse(r.body) as { sequence: number }).sequence);
    expect([sequences.toSorted(), (await s.deliveries(id)).length]).toEqual([[2, 3, 4, 5, 6], 5]);
  });

  it("after it recorded an attempt has nothing sent again", async () => {
    const s = stage();
    await s.endpoint();
    await s.happen(3);
    const child = await runChild("server/webhooks/dispatch/dispatcher.child.ts");
    expect(await child.line()).toBe("settled");
    await child.kill();
    s.advance(2 * leaseMs);
    await s.send();
    expect(s.listener.to("/hooks")).toHaveLength(3);
  });
});

describe("a database that cuts its connections under load", () => {
  it("loses no delivery and causes no second attempt", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await backlog(s, id, 1500);
    s.dispatcher.wake();
    for (const count of [100, 400, 900]) {
      await s.listener.until(count);
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
    await s.dispatcher.settled();
    // Deliveries leased by a statement whose answer was lost become claimable when the lease ends.
    s.advance(leaseMs + 1);
    await s.send();
    const made = attemptsMade(s.listener.to("/hooks"));
    expect([made.length, new Set(made).size]).toEqual([1501, 1501]);
    const [logged] = await sql<{ attempts: number; done: number }>(
      `SELECT (SELECT count(*) FROM webhook_attempts WHERE org_id = $1) AS attempts, count(*) AS done FROM webhook_deliveries WHERE org_id = $1 AND status = 'succeeded'`,
      [s.world.orgId],
    );
    expect(logged).toEqual({ attempts: 1501, done: 1501 });
  });
});

describe("stopping the dispatcher", () => {
  it("waits for requests in flight and starts no others", async () => {
    const s = stage();
    const held = holdAt(s, "/hooks");
    const { id } = await s.endpoint();
    await s.happen();
    s.dispatcher.wake();
    await s.listener.until(1);
    const stopped = s.dispatcher.stop({ graceMs: 10_000 });
    await s.happen();
    s.dispatcher.wake();
    held[0]!.writeHead(204).end();
    await stopped;
    expect((await s.deliveries(id)).map((d) => d.status)).toEqual(["pending", "succeeded"]);
  });

  it("leaves a request that exceeds graceMs to be sent again by another dispatcher", async () => {
    const s = stage();
    holdAt(s, "/hooks");
    await s.endpoint();
    await s.happen();
    s.dispatcher.wake();
    await s.listener.until(1);
    await s.dispatcher.stop({ graceMs: 1 });
    s.advance(leaseMs + 1);
    const next = new Dispatcher(() => s.now);
    next.wake();
    await s.listener.until(2);
    expect(new Set(attemptsMade(s.listener.received)).size).toBe(1);
    await next.stop({ graceMs: 1 });
  });
});
