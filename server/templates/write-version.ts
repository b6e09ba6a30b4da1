import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { namesHolder, photoUse, publicFieldsJson, signsQr, subjectBindings, type Design } from "./design";
import { enteredFormats } from "./entered-formats";
import type { Validity } from "./validity";
import { versionColumns, type VersionRow } from "./view";

/**
 * Inserts a version as a draft, which is then the newest one. The caller must have locked the template's row, so that
 * version numbers are unique.
 */
export async function insertVersion(
  ctx: TxCtx,
  templateId: Id<"tpl">,
  version: number,
  content: { design: Design; validity: Validity; achievementId: Id<"ach"> | null },
): Promise<VersionRow> {
  ctx.tx.send(`UPDATE templates SET latest_version = $3 WHERE org_id = $1 AND id = $2 AND latest_version <> $3`, [
    ctx.orgId,
    templateId,
    version,
  ]);
  const [row] = await ctx.tx.sql<VersionRow>(
    `INSERT INTO template_versions (org_id, id, template_id, version, status, design, validity, bindings, formats, public_fields, public_name, photo, achievement_id, created_at, updated_at, signed_qr)
     VALUES ($1, $2, $3, $4, 'draft', $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14) RETURNING ${versionColumns}`,
    [
      ctx.orgId,
      newId("tpv"),
      templateId,
      version,
      content.design,
      content.validity,
      subjectBindings(content.design),
      JSON.stringify(enteredFormats(content.design)),
      publicFieldsJson(content.design),
      namesHolder(content.design),
      photoUse(content.design),
      content.achievementId,
      ctx.now,
      signsQr(content.design),
    ],
  );
  return row!;
}
