import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Publishes a version: it can no longer change, and new credentials use it. Publishing an older one again makes it
 * current again. Emits template.version.published.
 */
export const publishTemplateVersion = command({
  name: "templates.versions.publish",
  scope: "templates:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, template.id, input.version);
    const { version } = await changeStatus(ctx, template, before, "publish");
    return versionView(version);
  },
});
