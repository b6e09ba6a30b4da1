import { runBulkChunk } from "@/server/credentials/bulk-run";

// Works off bulk jobs until the parent kills it.
console.log("working");
while (await runBulkChunk(new Date()));
