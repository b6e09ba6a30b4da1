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
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const templatesRouter = router({
  list: fromQuery(listTemplates),
  get: fromTagged(getTemplate),
  create: fromCommand(createTemplate),
  update: fromTaggedCommand(updateTemplate),
  delete: fromCommand(deleteTemplate),
  versions: router({
    list: fromQuery(listTemplateVersions),
    get: fromTagged(getTemplateVersion),
    create: fromCommand(createTemplateVersion),
    update: fromTaggedCommand(updateTemplateVersion),
    publish: fromCommand(publishTemplateVersion),
    archive: fromCommand(archiveTemplateVersion),
    unarchive: fromCommand(unarchiveTemplateVersion),
  }),
});
