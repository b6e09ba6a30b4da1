import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { driveTime, pass } from "@/server/webhooks/testing/driven-time";
import { Listener } from "@/server/webhooks/testing/listener";
import { Pair } from "@/server/webhooks/testing/pair";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
afterEach(() => vi.useRealTimers());

/** The connection of the last request to the faulty endpoint. */
let sick: Socket;

/** Creates an event for a faulty and a healthy endpoint at one listener; the faulty one answers with `fault`. */
async function happenTo(s: Stage, fault: (response: ServerResponse) => void): Promise<Pair> {
  const pair = await Pair.register(s, s.listener.url("/sick"));
  s.listener.answer = (request, response) => {
    if (request.path !== "/sick") return heal(response);
    sick = response.socket!;
    fault(response);
  };
  await s.happen();
  return pair;
}

async function expectClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
  expect(socket.closed).toBe(true);
}

const heal = (response: ServerResponse) => void response.writeHead(204).end();

async function expectRecovery(s: Stage, pair: Pair): Promise<void> {
  s.listener.answer = (_, response) => heal(response);
  await pair.expectRecovery(s.listener);
}

const half = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf";
const raw = (text: string) => (response: ServerResponse) => void response.socket!.end(text);
const brokenOff = {
  errorClass: "connect",
  errorDetail: "The connection broke off before the answer was complete.",
} as const;
const notHttp = { errorClass: "http", errorDetail: "The answer is not valid HTTP." } as const;

describe("a missing, broken or invalid answer is a failure, and the retry succeeds:", () => {
  it.each([
    ["a close", raw(""), { ...brokenOff, statusCode: null }],
    ["a reset", (response: ServerResponse) => response.socket!.resetAndDestroy(), { ...brokenOff, statusCode: null }],
    ["a reset in the middle of the headers", reset("HTTP/1.1 200 OK\r\nx-half: "), { ...brokenOff, statusCode: null }],
    ["a reset in the middle of the body", reset(half), brokenOff],
    ["a close in the middle of the body", raw(half), { ...brokenOff, statusCode: 200, responseBody: "half" }],
    ["another protocol", raw("SSH-2.0-OpenSSH_9.9\r\n"), { ...notHttp, statusCode: null }],
    ["headers without an end", raw(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`), { ...notHttp, statusCode: null }],
    [
      "a chunk without a size",
      raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno\r\n"),
      { ...notHttp, statusCode: 200 },
    ],
  ])("%s", async (_, fault, told) => {
    const s = stage();
    const pair = await happenTo(s, fault);
    await s.send();
    await pair.expectFailure({ address: "127.0.0.1", ...told });
    await expectRecovery(s, pair);
  });

  function reset(text: string) {
    return ({ socket }: ServerResponse) => void socket!.write(text, () => socket!.resetAndDestroy());
  }
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with status %i is a failure and is not followed", async (status) => {
    const s = stage();
    const other = await new Listener().start();
    onTestFinished(() => other.close());
    const pair = await happenTo(s, (response) => response.writeHead(status, { location: other.url() }).end());
    await s.send();
    await pair.expectFailure({
      errorClass: "redirect",
      statusCode: status,
      responseHeaders: expect.objectContaining({ location: other.url() }),
    });
    expect(other.connections).toHaveLength(0);
    await expectRecovery(s, pair);
  });

  it.each(["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "//[::ffff:10.0.0.1]/"])(
    "to %s is an ordinary failure, and the retry succeeds",
    async (location) => {
      const s = stage();
      const pair = await happenTo(s, (response) => response.writeHead(307, { location }).end());
      await s.send();
      await pair.expectFailure({ errorClass: "redirect", statusCode: 307, address: "127.0.0.1" });
      await expectRecovery(s, pair);
    },
  );
});

describe("an answer of 16 MB", () => {
  const size = 16 * 2 ** 20;

  /** Writes up to 16 MB, as fast as the client reads. */
  function pour(response: ServerResponse, status: number, poured: { bytes: number }): void {
    response.writeHead(status);
    const pump = () => {
      while (poured.bytes < size && !response.destroyed) {
        poured.bytes += 65_536;
        if (!response.write(Buffer.alloc(65_536, "a"))) return void response.once("drain", pump);
      }
      response.end();
    };
    pump();
  }

  /** Counts the bytes of response bodies that the client reads from now on. */
  function countRead(): () => number {
    let bytes = 0;
    const count = (message: unknown) => void (bytes += (message as { chunk: Buffer }).chunk.length);
    subscribe("undici:request:bodyChunkReceived", count);
    onTestFinished(() => void unsubscribe("undici:request:bodyChunkReceived", count));
    return () => bytes;
  }

  it("with status 200 is a success: 16 KB are kept, and the connection is closed before the rest", async () => {
    const s = stage();
    const poured = { bytes: 0 };
    const pair = await happenTo(s, (response) => pour(response, 200, poured));
    const read = countRead();
    await s.send();
    const { delivery, attempts } = await pair.told();
    expect(delivery).toMatchObject({ status: "succeeded", attemptCount: 1, lastErrorClass: null });
    expect(attempts).toMatchObject([
      { statusCode: 200, errorClass: null, responseTruncated: true, responseBody: "a".repeat(16 * 1024) },
    ]);
    await expectClosed(sick);
    expect(read()).toBeLessThan(2 ** 20);
    expect(poured.bytes).toBeLessThan(size);
  });

  it("with status 500 is a failure: 16 KB are kept, and the connection is closed before the rest", async () => {
    const s = stage();
    const poured = { bytes: 0 };
    const pair = await happenTo(s, (response) => pour(response, 500, poured));
    const read = countRead();
    await s.send();
    await pair.expectFailure({
      errorClass: "http",
      statusCode: 500,
      responseTruncated: true,
      responseBody: "a".repeat(16 * 1024),
    });
    await expectClosed(sick);
    expect(read()).toBeLessThan(2 ** 20);
    await expectRecovery(s, pair);
    expect(poured.bytes).toBeLessThan(size);
  });
});

describe("the limit of 15 s per attempt", () => {
  const timedOut = {
    errorClass: "timeout",
    errorDetail: "There was no complete answer within 15 s.",
    durationMs: 15_000,
    address: "127.0.0.1",
  } as const;

  /** Starts to send and waits for the healthy endpoint's delivery before any time passes. */
  async function begin(s: Stage, pair: Pair): Promise<void> {
    driveTime();
    await pair.begin();
    await s.listener.until(1, "/sick");
  }

  async function expectCutOff(s: Stage, pair: Pair, told: Parameters<Pair["expectFailure"]>[0]): Promise<void> {
    expect((await pair.told()).delivery.attemptCount).toBe(0);
    await pass(s, 1);
    await s.dispatcher.settled();
    await pair.expectFailure({ ...timedOut, ...told });
    await expectClosed(sick);
    await expectRecovery(s, pair);
  }

  it("allows an answer that comes after 14.999 s", async () => {
    const s = stage();
    const pair = await happenTo(s, (response) => void setTimeout(() => response.writeHead(200).end("at last"), 14_999));
    await begin(s, pair);
    await pass(s, 14_999);
    await s.dispatcher.settled();
    const { delivery, attempts } = await pair.told();
    expect([delivery.status, attempts.map((a) => [a.statusCode, a.responseBody, a.durationMs])]).toEqual([
      "succeeded",
      [[200, "at last", 14_999]],
    ]);
  });

  it("ends the wait for an answer that never comes", async () => {
    const s = stage();
    const pair = await happenTo(s, () => undefined);
    await begin(s, pair);
    await pass(s, 14_999);
    await expectCutOff(s, pair, { statusCode: null });
  });

  it("ends a body that sends one byte per second for ever", async () => {
    const s = stage();
    const pair = await happenTo(s, (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 1000);
      response.once("close", () => clearInterval(drip));
    });
    await begin(s, pair);
    for (let second = 1; second < 15; second++) {
      const read = chunkRead();
      await pass(s, 1000);
      await read;
    }
    await pass(s, 999);
    await expectCutOff(s, pair, { statusCode: 200, responseBody: ".".repeat(14), responseTruncated: false });
  });

  /** Resolves when the client has read another chunk of a body. */
  function chunkRead(): Promise<void> {
    return new Promise((resolve) => {
      const note = () => {
        unsubscribe("undici:request:bodyChunkReceived", note);
        resolve();
      };
      subscribe("undici:request:bodyChunkReceived", note);
    });
  }

  it("ends headers that send one byte per second for ever", async () => {
    const s = stage();
    let dripped = 0;
    const pair = await happenTo(s, ({ socket }) => {
      socket!.write("HTTP/1.1 200 OK\r\nx-slow: ");
      const drip = setInterval(() => socket!.write("x", () => dripped++), 1000);
      socket!.once("close", () => clearInterval(drip));
    });
    await begin(s, pair);
    for (let second = 1; second < 15; second++) await pass(s, 1000);
    await pass(s, 999);
    expect(dripped).toBe(14);
    await expectCutOff(s, pair, { statusCode: null });
  });
});
