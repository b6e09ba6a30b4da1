import { vi } from "vitest";
import { sql } from "@/server/testing/sql";
import type { World } from "@/server/testing/world";
import { runConnectorStep } from "../run/step";

/** Does steps until a run of the organisation has reached this phase. */
export const untilPhase = (phase: string, { orgId }: World) =>
  vi.waitUntil(
    async () => {
      const reached = await sql(`SELECT 1 FROM connector_runs WHERE org_id = $1 AND phase = $2`, [orgId, phase]);
      if (reached.length === 0) await runConnectorStep(new Date());
      return reached.length > 0;
    },
    { timeout: 20_000, interval: 1 },
  );
