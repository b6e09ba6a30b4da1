import { z } from "zod";
import { audit } from "@/server/access/audit";
import { newId, publicId } from "@/server/core/ids";
import { metadata } from "@/server/core/free-json";
import { command } from "@/server/core/operation";
import { requireNameable } from "./achievement";
import { changeStatus } from "./change-status";
import { confirmName, repeatable, slug, templateName, versionFields } from "./input";
import { insertTemplate } from "./slug";
import { templateKinds, templateTag, templateView, versionView } from "./view";
import { insertVersion } from "./write-version";

/**
 * Creates a template and its version 1: a draft, or published at once. Leaves an audit entry; publishing emits
 * template.version.published.
 */
export const createTemplate = command({
  name: "templates.create",
  scope: "templates:write",
  input: z.strictObject({
    name: templateName,
    kind: z.enum(templateKinds),
    slug: slug.optional(),
    repeatable: repeatable.default(false),
    confirmName: confirmName.default(false),
    ...versionFields,
    metadata,
    publish: z.boolean().default(false),
  }),
  tag: templateTag,
  async run(ctx, input) {
    await requireNameable(ctx, input.kind, input.achievementId);
    const draft = await insertTemplate(ctx, {
      id: newId("tpl"),
      name: input.name,
      kind: input.kind,
      slug: input.slug,
      repeatable: input.repeatable,
      confirmName: input.confirmName,
      metadata: input.metadata ?? {},
    });
    const first = await insertVersion(ctx, draft.id, 1, {
      design: input.design ?? {},
      validity: input.validity ?? { type: "none" },
      achievementId: input.achievementId ?? null,
    });
    await audit(
      ctx,
      "template.created",
      { type: "template", id: publicId("tpl", draft.id) },
      {
        name: draft.name,
        kind: draft.kind,
        ...(draft.repeatable && { repeatable: true }),
        ...(draft.confirm_name && { confirmName: true }),
      },
    );
    const { template, version } = input.publish
      ? await changeStatus(ctx, draft, first, "publish")
      : { template: draft, version: first };
    return { ...templateView(template), version: versionView(version) };
  },
});
