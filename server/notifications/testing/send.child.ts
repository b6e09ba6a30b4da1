import { sendMessages } from "../send-messages";
import { mailSettings } from "../settings";

// Sends what is due. The parent kills this process while messages are handed over.
await sendMessages(mailSettings(), () => new Date());
