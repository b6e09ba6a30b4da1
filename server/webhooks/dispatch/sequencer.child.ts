import { sequenceBatch } from "@/server/consumers";

// Numbers appended events; the test blocks it and kills it in the middle.
console.log("begins");
await sequenceBatch();
console.log("done");
setInterval(() => undefined, 60_000);
