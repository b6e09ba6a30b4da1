import type { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import type { Schedule, scheduleInput } from "@/server/core/schedule";
import { regionOf } from "@/server/organisations/region";

/** Completes a schedule from a request: uses the organisation's time zone unless it names one. */
export async function withTimeZone(ctx: TxCtx, sent: z.output<typeof scheduleInput> | null): Promise<Schedule | null> {
  if (!sent) return null;
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  return { timeZone, ...sent };
}
