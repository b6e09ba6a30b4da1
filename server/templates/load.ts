import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { templateColumns, versionColumns, type TemplateRow, type VersionRow } from "./view";

/** @throws DomainError not_found, also for a template of another organisation. */
export async function loadTemplate(ctx: Ctx, id: Id<"tpl">, lock: "" | "FOR UPDATE" = ""): Promise<TemplateRow> {
  const [row] = await reading(ctx).sql<TemplateRow>(
    `SELECT ${templateColumns} FROM templates WHERE org_id = $1 AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("template", publicId("tpl", id));
  return row;
}

/** @throws DomainError not_found. */
export async function loadVersion(ctx: Ctx, templateId: Id<"tpl">, version: number): Promise<VersionRow> {
  const [row] = await reading(ctx).sql<VersionRow>(
    `SELECT ${versionColumns} FROM template_versions WHERE org_id = $1 AND template_id = $2 AND version = $3`,
    [ctx.orgId, templateId, version],
  );
  if (!row)
    throw new DomainError(
      "not_found",
      `The template ${JSON.stringify(publicId("tpl", templateId))} has no version ${version}.`,
    );
  return row;
}

/** Loads the current version or, if none is current, the newest. Every template has at least one version. */
export async function loadShownVersion(ctx: Ctx, template: TemplateRow): Promise<VersionRow> {
  return loadVersion(ctx, template.id, template.current_version ?? template.latest_version);
}
