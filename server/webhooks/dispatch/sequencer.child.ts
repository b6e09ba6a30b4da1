import { sequenceBatch } from "@/server/consumers";

// Numbers what was appended: the parent holds it up and kills it in the middle.
console.log("begins");
await sequenceBatch();
console.log("done");
setInterval(() => undefined, 60_000);
