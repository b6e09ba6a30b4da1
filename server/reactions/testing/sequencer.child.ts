import { webhookDeliveries } from "@/server/webhooks/dispatch/make-deliveries";
import { Sequencer } from "../sequencer";
import { notes } from "./notes";

// Numbers what was committed, with two consumers. The parent blocks this process in the middle and kills it.
await new Sequencer([webhookDeliveries, notes]).drain();
console.log("done");
setInterval(() => undefined, 60_000);
