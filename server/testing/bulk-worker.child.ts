import { runBulkChunk } from "@/server/credentials/bulk-run";

// Processes bulk jobs until the parent kills this process.
console.log("working");
while (await runBulkChunk(new Date()));
