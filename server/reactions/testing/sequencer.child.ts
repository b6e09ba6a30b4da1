import { webhookDeliveries } from "@/server/webhooks/dispatch/make-deliveries";
import { Sequencer } from "../sequencer";
import { notes } from "./notes";

// Numbers what was committed, with two consumers: the parent holds it up and kills it in the middle.
await new Sequencer([webhookDeliveries, notes]).drain();
console.log("done");
setInterval(() => undefined, 60_000);
