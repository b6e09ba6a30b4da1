import { sequenceEvents } from "@/server/events/sequence";

// Numbers what was appended: the parent holds it up and kills it in the middle.
console.log("begins");
await sequenceEvents();
console.log("done");
setInterval(() => undefined, 60_000);
