import { runSchema } from "@/server/connectors/run-view";
import { fileLimit, fileTypes } from "@/server/connectors/file-limit";
import { uploadToConnector } from "@/server/connectors/upload";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: uploadToConnector,
  summary: "Upload a file to a connector",
  description:
    "Up to 512 MiB of CSV, JSON lines, or a gzip or zip of them; XLSX up to 50 MiB; or an archive of OneRoster 1.1 or 1.2. What a file is, its first bytes say. CSV is separated by commas, semicolons or tabs, in UTF-8 unless the connector's settings say otherwise. Answers with the run, which works on it in the background.",
  file: {
    field: "file",
    types: fileTypes,
    limit: fileLimit,
    partName: "file",
    fields: { mode: "text" },
  },
  response: runSchema,
  statuses: [202],
  location: ({ connectorId, id }) => `/v1/connectors/${connectorId}/runs/${id}`,
});
