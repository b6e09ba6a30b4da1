import { z } from "zod";
import { query } from "@/server/core/operation";
import { versionPath } from "./input";
import { loadTemplate, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/** Returns one version of a template, with its design. */
export const getTemplateVersion = query({
  name: "templates.versions.get",
  scope: "templates:read",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id);
    return versionView(await loadVersion(ctx, template.id, input.version));
  },
});
