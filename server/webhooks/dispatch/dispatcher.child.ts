import { Dispatcher } from "./dispatcher";

// Sends what is due and stays alive: the parent kills it in the middle.
const dispatcher = new Dispatcher();
dispatcher.wake();
await dispatcher.settled();
console.log("settled");
setInterval(() => undefined, 60_000);
