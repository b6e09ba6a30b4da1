import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Restores an archived version to the status that it had before, and makes a published one current if the template has
 * no current version. Emits template.version.unarchived.
 */
export const unarchiveTemplateVersion = command({
  name: "templates.versions.unarchive",
  scope: "templates:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, template.id, input.version);
    const { version } = await changeStatus(ctx, template, before, "unarchive");
    return versionView(version);
  },
});
