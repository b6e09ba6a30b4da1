import { windowStart } from "@/server/core/blast-radius";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { isAdded } from "../file/rejected-file";
import { columnsOfSource } from "../map-row";
import type { Hold } from "../run-view";
import type { EndingMemberships } from "../groups/plan";
import { countActive, limitFor } from "./limit";
import type { CutOffSign, SeenFile, Work } from "./work";

/** The deactivations that a file would cause, and the facts about the file that decide whether they need approval. */
interface Planned {
  /** How many people are missing from a full file. */
  missing: number;
  /** How many people the file marks as inactive. */
  inactive: number;
  /** How many memberships it ends that count against the limit. */
  memberships: EndingMemberships;
  /** How many rejected rows have no usable id, so that their person is unknown. */
  unknown: number;
  file: SeenFile;
}

/** A run, or a preview with an id that sorts after all runs. */
type Planning = Pick<Work, "id" | "connector_id"> & { config: Pick<Work["config"], "limits" | "mode"> };

/** Returns why the planned deactivations need approval (contract section 11); null if they do not. */
export async function holdOf(ctx: Ctx, work: Planning, planned: Planned): Promise<Hold | null> {
  const { missing, inactive, memberships, unknown, file: now } = planned;
  const people = missing + inactive;
  const ending = memberships.row + memberships.missing;
  if (people + ending === 0) return null;
  const { limit, recent } = await limitOf(ctx, work);
  const held = (reason: Hold["reason"], message: string): Hold => ({ reason, message, limit, memberships: ending });
  const before = await lastFile(ctx, work, work.config.mode);
  const lost = (before && columnsIn(before).filter((header) => !now.headers.includes(header))) ?? [];
  if (lost.length > 0)
    return held(
      "lost_columns",
      `The previous file had the column ${lost.map((name) => JSON.stringify(name)).join(", ")} and this file does not. It may be incomplete.`,
    );
  if (missing + memberships.missing > 0) {
    if (now.cutOffBy === "line_end" || (before && endsEarly(before, now)))
      return held("cut_off", "The previous file ended with a line end and this file does not. It may be cut off.");
    if (now.cutOffBy === "part_of_id")
      return held(
        "cut_off",
        "The file does not end with a line end, and the id in its last row is the beginning of the id of somebody who is missing. It may be cut off.",
      );
    if (unknown > 0)
      return held(
        "unknown_rows",
        `${unknown === 1 ? "1 rejected row has" : `${unknown} rejected rows have`} no usable id, so it is unknown who is really missing from the file.`,
      );
  }
  if (recent + people + ending <= limit) return null;
  const earlier = recent > 0 ? `, after ${recent} in the last 24 hours` : "";
  const what = [
    ...(people > 0 || ending === 0 ? [`${people} people would be deactivated`] : []),
    ...(ending > 0 ? [`${ending} memberships of groups that policies use would end`] : []),
  ];
  return held("limit", `${what.join(" and ")}${earlier}. Up to ${limit} within 24 hours need no approval.`);
}

/** A row that is the last one of its file. */
interface LastRow {
  key: string | null;
  /** The ids of the file that are not stored as rows of the run. */
  listed: string[];
}

/**
 * Returns why a file may be cut off; undefined if there is no sign of it. Its last row is then rejected, because its
 * last cell may be incomplete. The sign of an incomplete id applies only to a full file: a list of changes always lacks
 * people.
 *
 * @param last null if the file ends with a blank line
 */
export async function signOfCutOff(
  ctx: Ctx,
  work: Pick<Planning, "id" | "connector_id"> & { config: Pick<Work["config"], "mapping" | "mode"> },
  now: Pick<SeenFile, "headers" | "endsWithLineEnd">,
  last: LastRow | null,
): Promise<CutOffSign | undefined> {
  if (now.endsWithLineEnd) return undefined;
  const before = await lastFile(ctx, work, null);
  if (before && endsEarly(before, now)) return "line_end";
  const endsInId = columnsOfSource(work.config.mapping.externalId).includes(now.headers.at(-1)!);
  if (work.config.mode !== "full" || !endsInId || !last) return undefined;
  return (await isPartOfMissing(ctx, work, last)) ? "part_of_id" : undefined;
}

/** Whether the id of the last row is the beginning of the id of somebody whom the connector provides and the file lacks. */
async function isPartOfMissing(
  ctx: Ctx,
  { id, connector_id }: Pick<Planning, "id" | "connector_id">,
  { key, listed }: LastRow,
): Promise<boolean> {
  if (key === null) return false;
  const found = await reading(ctx).sql(
    `SELECT 1 FROM subject_sources o
     WHERE o.org_id = $1 AND o.source_id = $2 AND o.missing_since IS NULL AND starts_with(o.key, $4) AND o.key <> $4
       AND NOT EXISTS (SELECT FROM connector_rows r WHERE r.org_id = $1 AND r.run_id = $3 AND r.key = o.key OFFSET 0)
       AND NOT EXISTS (SELECT FROM unnest($5::text[]) AS sent (key) WHERE sent.key = o.key) LIMIT 1`,
    [ctx.orgId, connector_id, id, key, listed],
  );
  return found.length > 0;
}

/** The named columns of a file, without those that an export of rejected rows added. */
const columnsIn = ({ headers }: SeenFile) => headers.filter((header, at) => header !== "" && !isAdded(headers, at));

const endsEarly = (before: SeenFile, now: Pick<SeenFile, "endsWithLineEnd">) =>
  before.endsWithLineEnd && !now.endsWithLineEnd;

/**
 * The limit of deactivations and counted ends of memberships within 24 hours, and how many there were. Approved ones do
 * not count.
 */
export async function limitOf(
  ctx: Ctx,
  { connector_id, config }: Planning,
): Promise<{ limit: number; recent: number }> {
  const [counted] = await reading(ctx).sql<{ recent: number; active: number }>(
    `SELECT
       (SELECT count(*) FROM connector_removals removal
        CROSS JOIN LATERAL (SELECT approved FROM connector_runs WHERE org_id = $1 AND id = removal.run_id OFFSET 0) run
        WHERE removal.org_id = $1 AND removal.connector_id = $2 AND removal.applied_at > $3 AND NOT run.approved)
       + (SELECT count(*) FROM connector_member_changes ended
        CROSS JOIN LATERAL (SELECT approved FROM connector_runs WHERE org_id = $1 AND id = ended.run_id OFFSET 0) run
        WHERE ended.org_id = $1 AND ended.connector_id = $2 AND ended.counted AND ended.applied_at > $3 AND NOT run.approved) AS recent,
       ${countActive} AS active`,
    [ctx.orgId, connector_id, windowStart(ctx.now)],
  );
  const { recent, active } = counted!;
  return { recent, limit: limitFor(config.limits, { recent, active }) };
}

/**
 * The previous file to compare with: the last file that was applied completely. A file that may have been cut off is
 * skipped unless it was approved.
 */
async function lastFile(
  ctx: Ctx,
  work: Pick<Planning, "id" | "connector_id">,
  mode: Work["config"]["mode"] | null,
): Promise<SeenFile | undefined> {
  const [row] = await reading(ctx).sql<{ file: SeenFile }>(
    `SELECT file FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND id < $3 AND file ? 'headers' AND status = 'succeeded'
       AND ($4::text IS NULL OR config ->> 'mode' = $4)
       AND (approved OR NOT file ? 'cutOffBy') ORDER BY id DESC LIMIT 1`,
    [ctx.orgId, work.connector_id, work.id, mode],
  );
  return row?.file;
}
