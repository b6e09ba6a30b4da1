import { Dispatcher } from "./dispatcher";

// Sends what is due and stays alive until the test kills it.
const dispatcher = new Dispatcher();
dispatcher.wake();
await dispatcher.settled();
console.log("settled");
setInterval(() => undefined, 60_000);
