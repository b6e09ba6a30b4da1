import { sequenceBatch } from "@/server/consumers";

// Numbers what is appended, on and on: the parent stops it in the middle.
await sequenceBatch();
console.log("begun");
for (;;) await sequenceBatch();
