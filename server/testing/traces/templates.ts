import type { Ctx } from "@/server/core/context";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { createTemplate } from "@/server/templates/create";
import { createTemplateVersion } from "@/server/templates/create-version";
import { deleteTemplate } from "@/server/templates/delete";
import { getTemplate } from "@/server/templates/get";
import { getTemplateVersion } from "@/server/templates/get-version";
import { listTemplates } from "@/server/templates/list";
import { listTemplateVersions } from "@/server/templates/list-versions";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { unarchiveTemplateVersion } from "@/server/templates/unarchive-version";
import { updateTemplate } from "@/server/templates/update";
import { updateTemplateVersion } from "@/server/templates/update-version";
import { publishedTemplate } from "../credentials";
import type { Step } from "./step";

const draft = (ctx: Ctx) => createTemplate(ctx, { name: "Any", kind: "membership" });

export const templateSteps: Step[] = [
  { operation: createTemplate, prepare: async (ctx) => () => draft(ctx), events: [], audit: ["template.created"] },
  {
    operation: createTemplate,
    case: "published",
    prepare: async (ctx) => () => publishedTemplate(ctx),
    events: ["template.version.published"],
    audit: ["template.created"],
  },
  {
    operation: updateTemplate,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => updateTemplate(ctx, { id, name: "Other" });
    },
    events: [],
    audit: ["template.updated"],
  },
  {
    operation: deleteTemplate,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => deleteTemplate(ctx, { id });
    },
    events: [],
    audit: ["template.deleted"],
  },
  {
    operation: getTemplate,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => getTemplate(ctx, { id });
    },
    events: [],
  },
  { operation: listTemplates, prepare: async (ctx) => () => listTemplates(ctx, {}), events: [] },
  {
    operation: createTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => createTemplateVersion(ctx, { id });
    },
    events: [],
    audit: ["template_version.created"],
  },
  {
    operation: updateTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => updateTemplateVersion(ctx, { id, version: 1, design: {} });
    },
    events: [],
    audit: ["template_version.updated"],
  },
  {
    operation: getTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => getTemplateVersion(ctx, { id, version: 1 });
    },
    events: [],
  },
  {
    operation: listTemplateVersions,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => listTemplateVersions(ctx, { id });
    },
    events: [],
  },
  {
    operation: publishTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await draft(ctx);
      return () => publishTemplateVersion(ctx, { id, version: 1 });
    },
    events: ["template.version.published"],
  },
  {
    operation: archiveTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      return () => archiveTemplateVersion(ctx, { id, version: 1 });
    },
    events: ["template.version.archived"],
  },
  {
    operation: unarchiveTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      await archiveTemplateVersion(ctx, { id, version: 1 });
      return () => unarchiveTemplateVersion(ctx, { id, version: 1 });
    },
    events: ["template.version.unarchived"],
  },
];
