import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Archives a version. Archiving the current version archives the template: nothing can be issued from it until a
 * version is published or unarchived. Its credentials stay as they are. Emits template.version.archived.
 */
export const archiveTemplateVersion = command({
  name: "templates.versions.archive",
  scope: "templates:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, template.id, input.version);
    const { version } = await changeStatus(ctx, template, before, "archive");
    return versionView(version);
  },
});
