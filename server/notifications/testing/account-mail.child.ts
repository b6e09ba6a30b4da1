import { sendAccountMail } from "../send-account-mail";
import { mailSettings } from "../settings";

// Sends what is due. The parent kills this process while an e-mail is handed over.
await sendAccountMail(mailSettings(), () => new Date());
