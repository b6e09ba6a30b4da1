import { z } from "zod";
import { audit } from "@/server/access/audit";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionFields } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionView } from "./view";
import { insertVersion } from "./write-version";

/** Makes the next version: a draft, or published at once. What is not sent is taken from the newest. Leaves an audit entry; publishing emits its event. */
export const createTemplateVersion = command({
  name: "templates.versions.create",
  scope: "templates:write",
  input: z.strictObject({ id, ...versionFields, publish: z.boolean().default(false) }),
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const [last] = await ctx.tx.sql<{ version: number }>(
      `SELECT max(version) AS version FROM template_versions WHERE org_id = $1 AND template_id = $2`,
      [ctx.orgId, template.id],
    );
    const newest = await loadVersion(ctx, template.id, last!.version);
    const draft = await insertVersion(ctx, template.id, newest.version + 1, {
      design: input.design ?? newest.design,
      validity: input.validity ?? newest.validity,
    });
    await audit(ctx, "template_version.created", { type: "template_version", id: draft.id }, { templateId: template.id, version: draft.version });
    const { version } = input.publish ? await changeStatus(ctx, template, draft, "publish") : { version: draft };
    return versionView(version);
  },
});
