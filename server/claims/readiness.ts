import { z } from "zod";
import { sendsMail } from "@/server/access/account-mail";
import { query } from "@/server/core/operation";

/** Tells whether claims are possible: without an SMTP server, nobody can prove an address. */
export const claimReadiness = query({
  name: "claims.readiness",
  scope: "credentials:read",
  input: z.strictObject({}),
  run: async () => ({ sendsMail: sendsMail() }),
});
