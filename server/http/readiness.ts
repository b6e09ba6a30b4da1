import { pool } from "@/server/core/db";
import { engineStatus } from "@/server/core/engine-status";

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
      const { rows } = await pool().query(
        `SELECT count(*) FILTER (WHERE finished_at IS NULL AND rolled_back_at IS NULL)::int AS unfinished, count(*) FILTER (WHERE finished_at IS NOT NULL)::int AS applied FROM _prisma_migrations`,
      );
      const { unfinished, applied } = rows[0] as { unfinished: number; applied: number };
      return { ok: unfinished === 0, detail: unfinished === 0 ? `${applied} applied` : `${unfinished} unfinished` };
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
