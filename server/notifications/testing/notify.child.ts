import { notify } from "../notify";
import { mailSettings } from "../settings";

// Sends what is due at the time given: the parent kills it while a message is handed over.
const now = new Date(Number(process.argv[2]));
await notify(mailSettings(), () => now);
