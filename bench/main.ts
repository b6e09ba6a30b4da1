import { readFileSync, writeFileSync } from "node:fs";
import type { Benchmark, Scale } from "./benchmark";
import { bulkIssue, revokeTemplate } from "./bulk";
import { directories } from "./directories";
import { jobEngine } from "./engine";
import { setUp } from "./setup";
import type { Row } from "./measure";
import { memory } from "./memory";
import { credentials, subjects } from "./million";
import { pages } from "./pages";
import { people } from "./people";
import { policyApply, policyPreview } from "./policies";
import { heading, line, report, section } from "./report";
import { verification } from "./verification";
import { signing } from "./signing";
import { university } from "./university";
import { wallets } from "./wallets";
import { arrival, webhooks } from "./webhooks";
import { issue, upsert } from "./writes";

const benchmarks: Record<string, Benchmark> = {
  verification,
  pages,
  upsert,
  issue,
  bulkIssue,
  revokeTemplate,
  policyApply,
  policyPreview,
  signing,
  engine: jobEngine,
  arrival,
  webhooks,
  memory,
  subjects,
  credentials,
  directories,
  wallets,
  people,
};

const usual: Scale = { seconds: 4, million: 1_000_000 };
const results = "bench/RESULTS.md";

/**
 * Runs the named benchmarks, or all of them, and prints each result as it comes. Running all of them writes
 * bench/RESULTS.md. `--million=100000`, or `--people=100000`, makes the large organisations smaller, for a look; nothing is written then.
 * "university" runs by itself and writes its own section of that file; `--people N` makes it smaller.
 * @param databaseUrl an empty, migrated database on a server of its own; copies are made on the same server.
 *   DATABASE_URL must name the same database.
 */
export async function runBenchmarks(asked: string[], databaseUrl: string): Promise<void> {
  if (asked[0] === "university") return runUniversity(peopleOf(asked), databaseUrl);
  const smaller = asked.find((each) => /^--(million|people)=\d+$/.test(each));
  const wanted = asked.filter((each) => each !== smaller);
  const scale = smaller ? { ...usual, million: Number(smaller.split("=")[1]) } : usual;
  const unknown = wanted.filter((name) => !benchmarks[name]);
  if (unknown.length > 0)
    throw new Error(
      `There is no benchmark ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}, university`,
    );
  const setup = await setUp(databaseUrl);
  const rows: Row[] = [];
  try {
    console.log(`\n${heading}`);
    for (const [name, benchmark] of Object.entries(benchmarks)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for await (const row of benchmark(setup, scale)) {
        rows.push(row);
        console.log(line(row));
      }
    }
  } finally {
    await setup.close();
  }
  if (wanted.length === 0 && !smaller) writeFileSync(results, report(rows, new Date(), readFileSync(results, "utf8")));
}

async function runUniversity(people: number, databaseUrl: string): Promise<void> {
  const rows: Row[] = [];
  console.log(`\n${heading}`);
  for await (const row of university(databaseUrl, people)) {
    rows.push(row);
    console.log(line(row));
  }
  writeFileSync(results, section(rows, "The university", new Date(), readFileSync(results, "utf8")));
}

/** The value of `--people N`; a million without it. It is a multiple of 40, so that each share of the people is whole. */
function peopleOf([, flag, value, ...more]: string[]): number {
  if (flag === undefined) return usual.million;
  const people = Number(value);
  if (flag !== "--people" || more.length > 0 || !Number.isInteger(people) || people < 40 || people % 40 > 0)
    throw new Error("Usage: npm run bench -- university [--people N], with N a multiple of 40");
  return people;
}
