import { readinessPool } from "@/server/core/db";
import { engineStatus } from "@/server/core/engine-status";
import { fingerprintOf, masters } from "@/server/core/secrets";
import { isServing } from "@/server/core/serving";
import { migrations } from "@/server/http/generated/migrations";

interface Check {
  ok: boolean;
  detail: string;
}

export interface Readiness {
  /**
   * Whether this process can answer requests: it is not stopping, and its database answers, has every migration of this
   * build and was used with this master secret.
   */
  ready: boolean;
  /**
   * `serving`, `database`, `migrations` and `secret` decide `ready`. `jobs` tells whether background work runs;
   * verification answers without it.
   */
  checks: Record<"serving" | "database" | "migrations" | "secret" | "jobs", Check>;
}

/** A check that takes longer counts as failed. */
const checkMs = 2_000;

let asking: Promise<Readiness> | undefined;

/** How long a result is reused. Anyone may ask, as often as they like. */
const keptMs = 1_000;

let seen: { at: number; readiness: Promise<Readiness> } | undefined;

/**
 * Returns the readiness of at most a second ago, so that a flood of requests costs the database four statements a
 * second. Whether this process is stopping is always current.
 */
export async function recentReadiness(): Promise<Readiness> {
  const now = performance.now();
  if (seen === undefined || now - seen.at >= keptMs) seen = { at: now, readiness: checkReadiness() };
  const { ready, checks } = await seen.readiness;
  const serving = checkServing();
  return { ready: ready && serving.ok, checks: { ...checks, serving } };
}

/**
 * Runs all checks, each within 2 s. Concurrent calls share one run. Details name what to look at, never addresses or
 * secrets.
 */
export function checkReadiness(): Promise<Readiness> {
  return (asking ??= ask().finally(() => (asking = undefined)));
}

async function ask(): Promise<Readiness> {
  const [database, migrations, secret, jobs] = await Promise.all([
    check(checkDatabase),
    check(checkMigrations),
    check(checkSecret),
    check(checkJobs),
  ]);
  const serving = checkServing();
  return {
    ready: serving.ok && database.ok && migrations.ok && secret.ok,
    checks: { serving, database, migrations, secret, jobs },
  };
}

function checkServing(): Check {
  return isServing() ? { ok: true, detail: "takes requests" } : { ok: false, detail: "stopping" };
}

async function checkDatabase(): Promise<Check> {
  await readinessPool().query("SELECT 1");
  return { ok: true, detail: "answers" };
}

async function checkMigrations(): Promise<Check> {
  const { rows } = await readinessPool().query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const finished = new Map(rows.map((row) => [row.name, row.finished]));
  const missing = migrations.filter((name) => !finished.has(name));
  // Migrations of a later build do not count: that build may take an hour to build an index, while this one serves.
  const unfinished = migrations.filter((name) => finished.get(name) === false);
  if (missing.length + unfinished.length === 0) return { ok: true, detail: `${migrations.length} applied` };
  return {
    ok: false,
    detail: [
      missing.length > 0 && `missing: ${missing.join(", ")}`,
      unfinished.length > 0 && `unfinished: ${unfinished.join(", ")}`,
    ]
      .filter(Boolean)
      .join("; "),
  };
}

/**
 * Compares the master secret with the one of the database. `npm start` does so before it serves; this finds a process
 * that was started in another way, or before a rotation.
 */
async function checkSecret(): Promise<Check> {
  const mine = fingerprintOf(masters()[0]!.secret);
  const { rows } = await readinessPool().query<{ fingerprint: string; previous: string | null }>(
    "SELECT fingerprint, previous FROM master_secret",
  );
  const [noted] = rows;
  if (!noted || noted.fingerprint === mine)
    return { ok: true, detail: noted ? "the one of this database" : "none noted yet" };
  if (noted.previous === mine) return { ok: true, detail: "the previous one: restart with the new one" };
  return { ok: false, detail: "not the one of this database" };
}

async function checkJobs(): Promise<Check> {
  const status = await engineStatus();
  if (!status) return { ok: false, detail: "not started" };
  const { ready, problem, mode, failed24h } = status;
  const failed = failed24h ? `; runs that failed for good in 24 hours, as the log tells: ${failed24h}` : "";
  const stuck = (await hasOldUnnumberedEvents()) ? unnumbered : null;
  return { ok: ready && problem === null && stuck === null, detail: `${problem ?? stuck ?? mode}${failed}` };
}

const unnumbered = "events have waited for their number for over a minute; the log tells why";

/** Numbering takes milliseconds. Until it works again, no webhook, message or job follows from an event. */
async function hasOldUnnumberedEvents(): Promise<boolean> {
  const { rows } = await readinessPool().query(
    "SELECT FROM event_outbox WHERE created_at < now() - interval '1 minute' LIMIT 1",
  );
  return rows.length > 0;
}

async function check(work: () => Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${checkMs / 1000} s` }), checkMs);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    return { ok: false, detail: (error as { code?: string }).code ?? "does not answer" };
  } finally {
    clearTimeout(timer);
  }
}
