import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { requireNameable } from "./achievement";
import { namesHolder, photoUse, publicFieldsJson, signsQr, subjectBindings } from "./design";
import { enteredFormats } from "./entered-formats";
import { versionFields, versionPath } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionColumns, versionTag, versionView, type VersionRow } from "./view";

/** Changes a draft. A published version is immutable: credentials were issued from it. Leaves an audit entry. */
export const updateTemplateVersion = command({
  name: "templates.versions.update",
  scope: "templates:write",
  input: z.strictObject({ ...versionPath, ifMatch, ...versionFields }),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, template.id, input.version);
    requireMatch(input.ifMatch, versionTag(versionView(before)));
    if (before.status !== "draft") {
      throw new DomainError(
        "version_not_draft",
        `Version ${before.version} is ${before.status}. Make a new version, change that and publish it.`,
      );
    }
    await requireNameable(ctx, template.kind, input.achievementId);
    const design = input.design ?? before.design;
    const [row] = await ctx.tx.sql<VersionRow>(
      `UPDATE template_versions SET design = $3, validity = $4, bindings = $5, formats = $6, public_fields = $7, public_name = $8, photo = $9, achievement_id = $10, updated_at = $11, signed_qr = $12 WHERE org_id = $1 AND id = $2 RETURNING ${versionColumns}`,
      [
        ctx.orgId,
        before.id,
        design,
        input.validity ?? before.validity,
        subjectBindings(design),
        JSON.stringify(enteredFormats(design)),
        publicFieldsJson(design),
        namesHolder(design),
        photoUse(design),
        input.achievementId === undefined ? before.achievement_id : input.achievementId,
        ctx.now,
        signsQr(design),
      ],
    );
    await audit(
      ctx,
      "template_version.updated",
      { type: "template_version", id: publicId("tpv", before.id) },
      { templateId: publicId("tpl", template.id), version: before.version },
    );
    return versionView(row!);
  },
});
