import { windowStart } from "@/server/core/blast-radius";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Hold } from "../run-view";
import { countActive, limitFor } from "./limit";
import type { SeenFile, Work } from "./work";

/** What a file would end: counts of people, and what was seen of the file. */
interface Planned {
  /** People whom a full file no longer has. */
  missing: number;
  /** People whom it calls inactive. */
  inactive: number;
  /** Rejected rows of which it is not known whom they are about. */
  unknown: number;
  file: SeenFile;
}

/** A run, or a preview under an id that comes after all runs. */
type Planning = Pick<Work, "id" | "connector_id"> & { config: Pick<Work["config"], "limits"> };

/** Why the planned deactivations wait for a person (contract section 11); null where they need none. */
export async function holdOf(ctx: Ctx, work: Planning, planned: Planned): Promise<Hold | null> {
  const { missing, inactive, unknown, file: now } = planned;
  const all = missing + inactive;
  if (all === 0) return null;
  const { limit, recent } = await limitOf(ctx, work);
  const held = (reason: Hold["reason"], message: string): Hold => ({ reason, message, limit });
  if (missing > 0) {
    const before = await lastFile(ctx, work, "full");
    const lost = before?.headers.filter((header) => header !== "" && !now.headers.includes(header)) ?? [];
    if (lost.length > 0)
      return held(
        "lost_columns",
        `The file before had the column ${lost.map((name) => JSON.stringify(name)).join(", ")} and this one has not. It may be incomplete.`,
      );
    if (before && endsEarly(before, now))
      return held("cut_off", "The file before ended with a line end and this one does not. It may be cut off.");
    if (unknown > 0)
      return held(
        "unknown_rows",
        `Of ${unknown} rejected ${unknown === 1 ? "row" : "rows"} it is not known whom they are about, so it is not known either who is missing.`,
      );
  }
  if (recent + all <= limit) return null;
  const before = recent > 0 ? `, after ${recent} in the last 24 hours` : "";
  return held(
    "limit",
    `${all} people would be deactivated${before}. Up to ${limit} within 24 hours need nobody's approval.`,
  );
}

/**
 * Whether a file may have lost its end: it ends within a line, and the one before did not. Its last row is rejected
 * then, since its last cell may be the beginning of a longer one.
 */
export async function mayBeCutOff(
  ctx: Ctx,
  work: Pick<Planning, "id" | "connector_id">,
  now: Pick<SeenFile, "endsWithLineEnd">,
): Promise<boolean> {
  if (now.endsWithLineEnd) return false;
  const before = await lastFile(ctx, work, null);
  return before !== undefined && endsEarly(before, now);
}

const endsEarly = (before: SeenFile, now: Pick<SeenFile, "endsWithLineEnd">) =>
  before.endsWithLineEnd && !now.endsWithLineEnd;

/** How many deactivations within 24 hours pass, and how many there were. What a person approved does not count. */
export async function limitOf(
  ctx: Ctx,
  { connector_id, config }: Planning,
): Promise<{ limit: number; recent: number }> {
  const [counted] = await reading(ctx).sql<{ recent: number; active: number }>(
    `SELECT
       (SELECT count(*) FROM connector_removals removal
        CROSS JOIN LATERAL (SELECT approved FROM connector_runs WHERE org_id = $1 AND id = removal.run_id OFFSET 0) run
        WHERE removal.org_id = $1 AND removal.connector_id = $2 AND removal.applied_at > $3 AND NOT run.approved) AS recent,
       ${countActive} AS active`,
    [ctx.orgId, connector_id, windowStart(ctx.now)],
  );
  const { recent, active } = counted!;
  return { recent, limit: limitFor(config.limits, { recent, active }) };
}

/**
 * The file to compare with: the last that was applied whole. A broken one does not become the measure of the next, unless
 * a person approved it.
 */
async function lastFile(
  ctx: Ctx,
  work: Pick<Planning, "id" | "connector_id">,
  mode: "full" | null,
): Promise<SeenFile | undefined> {
  const [row] = await reading(ctx).sql<{ file: SeenFile }>(
    `SELECT file FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND id < $3 AND file ? 'headers' AND status = 'succeeded'
       AND ($4::text IS NULL OR config ->> 'mode' = $4)
       AND (approved OR NOT coalesce((file ->> 'mayBeCutOff')::boolean, false)) ORDER BY id DESC LIMIT 1`,
    [ctx.orgId, work.connector_id, work.id, mode],
  );
  return row?.file;
}
