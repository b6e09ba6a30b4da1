import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { requireNameable } from "./achievement";
import { changeStatus } from "./change-status";
import { versionFields, versionNumber } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionTag, versionView } from "./view";
import { insertVersion } from "./write-version";

const basedOn = versionNumber.optional().meta({
  description:
    "The number of the newest version that you have seen. 412 precondition_failed if another version was made since then, and nothing is done.",
});

/**
 * Creates the next version: a draft, or published at once. Fields that are not sent are copied from the newest version.
 * Leaves an audit entry; publishing emits its event.
 *
 * @throws DomainError `precondition_failed` if the newest version is not the one that `basedOn` names
 */
export const createTemplateVersion = command({
  name: "templates.versions.create",
  scope: "templates:write",
  input: z.strictObject({ id: id("tpl"), basedOn, ...versionFields, publish: z.boolean().default(false) }),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const newest = await loadVersion(ctx, template.id, template.latest_version);
    if (input.basedOn !== undefined && input.basedOn !== newest.version) {
      throw new DomainError(
        "precondition_failed",
        `Version ${newest.version} (${newest.status}) is the newest, not version ${input.basedOn}. Read it, repeat your change on it, and send basedOn ${newest.version}.`,
      );
    }
    await requireNameable(ctx, template.kind, input.achievementId);
    const draft = await insertVersion(ctx, template.id, newest.version + 1, {
      design: input.design ?? newest.design,
      validity: input.validity ?? newest.validity,
      achievementId: input.achievementId === undefined ? newest.achievement_id : input.achievementId,
    });
    await audit(
      ctx,
      "template_version.created",
      { type: "template_version", id: publicId("tpv", draft.id) },
      { templateId: publicId("tpl", template.id), version: draft.version },
    );
    const { version } = input.publish ? await changeStatus(ctx, template, draft, "publish") : { version: draft };
    return versionView(version);
  },
});
