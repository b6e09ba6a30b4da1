import { sequenceBatch } from "@/server/consumers";

// Numbers appended events in an endless loop. The parent suspends this process in the middle.
await sequenceBatch();
console.log("begun");
for (;;) await sequenceBatch();
