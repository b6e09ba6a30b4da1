import { sequenceEvents } from "./sequence";

// Numbers what is appended, on and on: the parent stops it in the middle.
await sequenceEvents();
console.log("begun");
for (;;) await sequenceEvents();
