import { pool } from "@/server/core/db";
import { engineStatus } from "@/server/core/engine-status";
import { migrations } from "./generated/migrations";

interface Check {
  ok: boolean;
  detail: string;
}

/** Asks each thing that serving depends on. Details name what to look at, never addresses or secrets. */
export async function checkReadiness(): Promise<{ ready: boolean; checks: Record<string, Check> }> {
  const checks = {
    database: await check(async () => {
      await pool().query("SELECT 1");
      return { ok: true, detail: "answers" };
    }),
    migrations: await check(async () => {
      const { rows } = await pool().query<{ name: string; finished: boolean }>(
        `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
      );
      const applied = new Set(rows.filter((row) => row.finished).map((row) => row.name));
      const missing = migrations.filter((name) => !applied.has(name));
      const unfinished = rows.filter((row) => !row.finished).map((row) => row.name);
      if (missing.length + unfinished.length === 0) return { ok: true, detail: `${applied.size} applied` };
      return { ok: false, detail: [missing.length > 0 && `missing: ${missing.join(", ")}`, unfinished.length > 0 && `unfinished: ${unfinished.join(", ")}`].filter(Boolean).join("; ") };
    }),
    jobs: await check(async () => {
      const status = await engineStatus();
      return status ? { ok: status.ready, detail: status.mode } : { ok: false, detail: "not started" };
    }),
  };
  return { ready: Object.values(checks).every((c) => c.ok), checks };
}

async function check(ask: () => Promise<Check>): Promise<Check> {
  try {
    return await ask();
  } catch (error) {
    return { ok: false, detail: (error as { code?: string }).code ?? "does not answer" };
  }
}
