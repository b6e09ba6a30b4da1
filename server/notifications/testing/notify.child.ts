import { notify } from "../notify";
import { mailSettings } from "../settings";

// Sends what is due at the time in its argument. The parent kills this process while a message is handed over.
const now = new Date(Number(process.argv[2]));
await notify(mailSettings(), () => now);
