import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { append } from "@/server/events/append";
import { regionOf } from "@/server/organisations/region";
import { requireCurrent } from "./achievement";
import { currentAfter, nextStatus, type VersionAction } from "./states";
import { expiryOf } from "./validity";
import { templateColumns, versionColumns, versionFactsOf, type TemplateRow, type VersionRow } from "./view";

const eventOf = {
  publish: "template.version.published",
  archive: "template.version.archived",
  unarchive: "template.version.unarchived",
} as const;

/**
 * Applies an action to a version and updates the template accordingly: its current version and its status. Emits the
 * action's event; nothing if nothing changed. The caller must have locked the template's row.
 *
 * @throws DomainError `version_state`; `expiry_out_of_range` when publishing a version whose fixed expiry date is past;
 *   `achievement_not_published` when publishing one whose achievement has no current version
 */
export async function changeStatus(
  ctx: TxCtx,
  template: TemplateRow,
  before: VersionRow,
  action: VersionAction,
): Promise<{ template: TemplateRow; version: VersionRow }> {
  const status = nextStatus(before, action);
  const current = currentAfter(template.current_version, before, status, action);
  if (status === before.status && current === template.current_version) return { template, version: before };
  if (action === "publish") {
    await requireDateAhead(ctx, before);
    await requireCurrent(ctx, before.achievement_id);
  }
  const [version] = await ctx.tx.sql<VersionRow>(
    `UPDATE template_versions SET status = $3::text, updated_at = $4,
       published_at = CASE WHEN $3 = 'published' THEN coalesce(published_at, $4) ELSE published_at END,
       archived_at = CASE WHEN $3 = 'archived' THEN $4::timestamptz END
     WHERE org_id = $1 AND id = $2 RETURNING ${versionColumns}`,
    [ctx.orgId, before.id, status, ctx.now],
  );
  const [after] = await ctx.tx.sql<TemplateRow>(
    `UPDATE templates SET current_version = $3, updated_at = $4, status = CASE
       WHEN $3::int IS NOT NULL THEN 'published'
       WHEN EXISTS (SELECT 1 FROM template_versions v WHERE v.org_id = $1 AND v.template_id = $2 AND v.status <> 'draft') THEN 'archived'
       ELSE 'draft' END
     WHERE org_id = $1 AND id = $2 RETURNING ${templateColumns}`,
    [ctx.orgId, template.id, current, ctx.now],
  );
  await append(ctx, {
    type: eventOf[action],
    resourceId: version!.id,
    object: versionFactsOf(after!, version!),
    ...(status !== before.status && { previous: { status: before.status } }),
  });
  return { template: after!, version: version! };
}

/** Refuses a fixed expiry date in the past, since every issue of a credential would be refused. */
async function requireDateAhead(ctx: TxCtx, { version, validity }: VersionRow): Promise<void> {
  if (validity.type !== "fixed_date") return;
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const end = expiryOf(validity, ctx.now, {}, timeZone);
  if (end && end > ctx.now) return;
  throw new DomainError(
    "expiry_out_of_range",
    `Version ${version} makes credentials valid through ${validity.date}, which is past: none could be issued. Choose a later date before you publish it.`,
  );
}
