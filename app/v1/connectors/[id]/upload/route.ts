import { runSchema } from "@/server/connectors/run-view";
import { fileLimit } from "@/server/connectors/file-limit";
import { uploadToConnector } from "@/server/connectors/upload";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: uploadToConnector,
  summary: "Upload a file to a connector",
  description:
    "CSV, plain or gzip, up to 512 MiB: separated by commas, semicolons or tabs, in UTF-8 unless the connector's settings say otherwise. Answers with the run, which works on it in the background.",
  file: {
    field: "file",
    types: ["text/csv", "application/gzip", "application/octet-stream"],
    limit: fileLimit,
    partName: "file",
  },
  response: runSchema,
  statuses: [202],
  location: ({ connectorId, id }) => `/v1/connectors/${connectorId}/runs/${id}`,
});
