import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Warning } from "@/server/core/warning";

/** Counts the published templates whose current versions name an achievement. */
export async function countIssuingTemplates(ctx: Ctx, id: Id<"ach">): Promise<number> {
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM templates t
     JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
     WHERE t.org_id = $1 AND v.achievement_id = $2`,
    [ctx.orgId, id],
  );
  return row!.n;
}

/** Warns of templates that can issue nothing, because the achievement that they name has no current version. */
export function stoppedTemplates(current: number | null, templates: number): Warning[] {
  if (current !== null || templates === 0) return [];
  const which =
    templates === 1 ? "1 published template names" : `${templates.toLocaleString("en")} published templates name`;
  return [
    {
      code: "templates_stopped",
      message: `${which} this achievement, and nothing can be issued from ${templates === 1 ? "it" : "them"} now: no version of the achievement is current. Publish a version, or bring this one back.`,
    },
  ];
}
