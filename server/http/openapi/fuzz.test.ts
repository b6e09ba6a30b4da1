import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { AnswerCheck } from "@/server/testing/fuzz/answers";
import { runLane, type Finding } from "@/server/testing/fuzz/lane";
import { inProcess, overHttp } from "@/server/testing/fuzz/transports";
import { at, entries, type Json } from "./json";

// Set before anything reads the configuration, because this test sends thousands of requests from one address and with
// one token.
Object.assign(process.env, { RATE_LIMIT_TOKEN: "100000000", RATE_LIMIT_ADDRESS: "100000000" });

const total = Number(process.env["FUZZ_REQUESTS"] ?? 20_000);
const seed = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
/** Whether there are enough requests for every operation to succeed once. */
const isFull = total >= 20_000;
/** Organisations that send concurrently; each sends its requests one after the other. */
const lanes = 4;
/** One of this many requests goes over a socket, the others are handled in process. */
const httpShare = 5;

const document = JSON.parse(readFileSync("public/openapi.json", "utf8")) as Json;
// Shared by the lanes: it compiles the schema of each kind of answer when the first one arrives.
const check = new AnswerCheck(document);
const http = await overHttp();
afterAll(() => http.close());

/** Formats one example of each kind of fault, with the number of its findings. */
function report(findings: Finding[]): string {
  const kinds = Map.groupBy(findings, ({ operation, faults }) => `${operation}: ${faults[0]}`);
  return [...kinds]
    .slice(0, 30)
    .map(([kind, some]) => `${some.length} × ${kind}\n  ${some[0]!.answer}\n  ${some[0]!.curl}`)
    .join("\n\n");
}

/** Lists every outcome that the document describes, e.g. "subjectsUpsert 409 external_id_taken". */
function described(): string[] {
  const operations = entries(at(document, "paths")).flatMap(([, item]) =>
    entries(item).map(([, operation]) => operation),
  );
  return operations.flatMap((operation) =>
    entries(at(operation, "responses")).flatMap(([status, response]) => {
      const reference = at(response, "$ref");
      const resolved = typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : response;
      const codes = [...String(at(resolved, "description")).matchAll(/`(\w+)`/g)].map(([, code]) => ` ${code}`);
      return (codes.length > 0 ? codes : [""]).map(
        (code) => `${String(at(operation, "operationId"))} ${status}${code}`,
      );
    }),
  );
}

/** Operations that succeed only with what no request can make up: a certificate of Apple's, a key of Google's, the host of a domain that was proven, or a design with pictures. */
const needsMore = new Set([
  "publicHostDid",
  "publicPicture",
  "publicDomainStatusList",
  "walletsAppleSet",
  "publicApplePass",
  "walletsGoogleSet",
  "publicGooglePass",
  "publicGooglePicture",
]);

it(`answers ${total} requests generated from the document (seed ${seed}) as the document says`, {
  timeout: 60_000 + total * 30,
}, async () => {
  const told = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      runLane(document, {
        seed: seed + lane,
        count: Math.ceil(total / lanes),
        more: isFull ? 40 : 0,
        transport: (n) => (n % httpShare === 0 ? http.transport : inProcess),
        check,
      }),
    ),
  );
  const findings = told.flatMap((each) => each.findings);
  const advice = `${findings.length} answers differ from the document. Repeat with: npm run fuzz -- --requests ${total} --seed ${seed}\n\n${report(findings)}`;
  expect(findings.length === 0 ? "" : advice).toBe("");
  // A fuzz whose requests are all refused would prove nothing, so every operation must have succeeded once.
  const counts = new Map<string, number>();
  for (const each of told) for (const [outcome, n] of each.counts) counts.set(outcome, (counts.get(outcome) ?? 0) + n);
  if (process.env["FUZZ_COUNTS"])
    console.log(
      `${[...counts]
        .toSorted()
        .map(([outcome, n]) => `${outcome}: ${n}`)
        .join("\n")}\n\nDescribed and never answered:\n${described()
        .filter((outcome) => !counts.has(outcome))
        .join("\n")}`,
    );
  const operations = new Set([...counts.keys()].map((outcome) => outcome.split(" ")[0]!));
  const never = [...operations].filter(
    (operation) => ![...counts.keys()].some((outcome) => outcome.startsWith(`${operation} 2`)),
  );
  if (isFull) expect(never.filter((operation) => !needsMore.has(operation))).toEqual([]);
});
