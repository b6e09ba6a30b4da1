import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadShownVersion, loadTemplate } from "./load";
import { templateTag, templateView, versionView } from "./view";

/** Returns one template with its current version or, before the first publication, its newest version. */
export const getTemplate = query({
  name: "templates.get",
  scope: "templates:read",
  input: z.strictObject({ id: id("tpl") }),
  tag: templateTag,
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id);
    return { ...templateView(template), version: versionView(await loadShownVersion(ctx, template)) };
  },
});
