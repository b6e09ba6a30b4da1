import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { frontDoor } from "@/server/http/web/front-door";
import { apiListener } from "@/server/http/web/listener";
import { AnswerCheck, type Received } from "@/server/testing/fuzz/answers";
import { entries, at, type Json } from "./json";

const document = JSON.parse(readFileSync("public/openapi.json", "utf8")) as Json;
const check = new AnswerCheck(document);
const operations = entries(at(document, "paths")).flatMap(([path, item]) =>
  entries(item).map(([method]) => ({ path, method })),
);
const pages = async (_: unknown, response: { end(text: string): void }) => void response.end("page");

let patient: Server;
let impatient: Server;
beforeAll(async () => {
  const api = apiListener();
  patient = frontDoor({ api, pages }).listen(0, "127.0.0.1");
  impatient = frontDoor({ api, pages, limits: { requestMs: 50, headersMs: 50, checkMs: 10 } }).listen(0, "127.0.0.1");
  await Promise.all([patient, impatient].map((server) => once(server, "listening")));
});
afterAll(() => {
  for (const server of [patient, impatient]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Writes text to a socket and returns the response. */
async function answerTo(server: Server, text: string): Promise<Received> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  return {
    status: Number(line.split(" ")[1]),
    headers: new Headers(
      fields.map((field): [string, string] => [
        field.slice(0, field.indexOf(":")),
        field.slice(field.indexOf(":") + 1).trim(),
      ]),
    ),
    text: body,
  };
}

const close = "Host: a\r\nConnection: close\r\n";
it.each<[number, string, (line: string) => string]>([
  [400, "a malformed header", (line) => `${line} HTTP/1.1\r\n${close}: x\r\n\r\n`],
  [408, "a request that does not arrive", (line) => `${line} HTTP/1.1\r\n${close}`],
  [417, "an expectation that nobody meets", (line) => `${line} HTTP/1.1\r\n${close}Expect: cake\r\n\r\n`],
  [
    421,
    "another host in the request line",
    (line) => `${line.replace(" ", " http://elsewhere.example")} HTTP/1.1\r\n${close}\r\n`,
  ],
  [431, "headers that are too large", (line) => `${line} HTTP/1.1\r\n${close}X: ${"x".repeat(20_000)}\r\n\r\n`],
])("%i for %s is described at every operation", async (status, _, request) => {
  const faults = await Promise.all(
    operations.map(async ({ path, method }) => {
      const answer = await answerTo(
        status === 408 ? impatient : patient,
        request(`${method.toUpperCase()} ${path.replaceAll(/[{}]/g, "")}`),
      );
      return [path, method, answer.status, ...check.faults(path, method, answer)];
    }),
  );
  expect(faults).toEqual(operations.map(({ path, method }) => [path, method, status]));
});
