import { archiveCredentials } from "@/server/badges/archive";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: archiveCredentials,
  summary: "Download the files of many credentials as ZIP",
  description:
    "Certificates (PDF), badges (PNG) and signed documents (JSON) of up to 10,000 academic credentials: those of ids, or all that the list with the same filters shows. Each file is made while the answer is read, so nothing is stored and a large archive takes its time, certificates the longest; how long depends on the machine. index.csv, the last file, has a row for each credential with its files, or says why it has none; the comment of the archive says how many files are missing, if any. Cells that a spreadsheet would run as a formula begin with an apostrophe. An answer that breaks off is no valid archive; ask again. An Idempotency-Key is ignored.",
  response: null,
  download: { types: ["application/zip"], description: "The archive." },
  example: { request: { templateId: "tpl_01kxtmb0w0e03s6tvnf6d8y7q2", formats: ["pdf"] } },
});
