import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadAchievement } from "./load";
import { versionSummaryColumns, versionSummaryView, type VersionSummaryRow } from "./view";

/** Lists the versions of an achievement, newest first, without their content. */
export const listAchievementVersions = query({
  name: "achievements.versions.list",
  scope: "achievements:read",
  input: z.strictObject({ id: id("ach"), ...page }),
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "achievement_versions", achievement.id],
      fetch: ({ after, take, skip }) =>
        sql<VersionSummaryRow>(
          `SELECT ${versionSummaryColumns} FROM achievement_versions WHERE org_id = $1 AND achievement_id = $2 AND ($3::int IS NULL OR version < $3)
           ORDER BY version DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, achievement.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM achievement_versions WHERE org_id = $1 AND achievement_id = $2`,
            [ctx.orgId, achievement.id],
          )
        )[0]!.n,
      keyOf: (row) => String(row.version),
    });
    return { ...found, data: found.data.map((row) => versionSummaryView(row, achievement.name)) };
  },
});
