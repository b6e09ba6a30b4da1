import { buildPages } from "../build/build-pages.mjs";
import { bundle } from "../build/bundle.mjs";
import { inProject } from "../launch/paths.mjs";
import { migrate } from "../migrations/migrate.mjs";
import { prepareCode } from "../build/prepare-code.mjs";
import { temporaryDatabase } from "../database/temporary-database.mjs";

/**
 * Builds like `npm start`, and runs the benchmarks (bench/main.ts) on a separate PostgreSQL. It has the settings of
 * `npm start`, so that commits wait for the disk.
 *
 * @param {string[]} names of benchmarks; all by default
 */
export async function bench(step, names) {
  await prepareCode(step);
  await step("Pages", (report) => buildPages(report));
  await step("Benchmarks", () =>
    bundle(["bench/main.ts", "bench/bare-server.ts", "bench/sender-process.ts"], inProject(".build", "bench")),
  );
  const database = await step("Database", () => temporaryDatabase({}));
  try {
    await migrate(database.url);
    Object.assign(process.env, settings, { DATABASE_URL: database.url, EMBEDDED_DATABASE: "1" });
    const { runBenchmarks } = await import("../../.build/bench/main.mjs");
    await runBenchmarks(names, database.url);
  } finally {
    await database.close();
  }
  process.exit(0);
}

const settings = {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  BONAFIDE_SECRET: "a-secret-of-the-benchmarks-and-nothing-else",
  PUBLIC_URL: "http://localhost",
  LOG_LEVEL: "warn",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_ADDRESS: "0",
  OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
  OUTBOUND_ALLOW_HTTP: "1",
};
