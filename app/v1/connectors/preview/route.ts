import { fileTypes } from "@/server/connectors/file-limit";
import { previewConnector, previewLimit } from "@/server/connectors/preview";
import { previewSchema } from "@/server/connectors/preview/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: previewConnector,
  summary: "Preview a file",
  description:
    "Says what a file would do before it does it: whom it would create, update field by field, leave, deactivate and reject, and whether deactivations would wait for approval. Nothing is written. Send connectorId or mapping, and the file as the part file of a form (of every form that an upload takes, up to 10 MiB) or as content in JSON (up to 1,000,000 characters). At most 50,000 rows are read. For the next page, send the same file with the cursor.",
  response: previewSchema,
  file: {
    field: "file",
    types: fileTypes,
    limit: previewLimit,
    partName: "file",
    besideJson: true,
    fields: {
      connectorId: "text",
      mode: "text",
      mapping: "json",
      settings: "json",
      actions: "json",
      limit: "text",
      cursor: "text",
      offset: "text",
    },
  },
  example: {
    request: {
      mapping: { externalId: "id", displayName: "name", email: "mail" },
      content: "id,name,mail\n10023,Ada Lovelace,ada@example.edu\n",
    },
  },
});
