import { z } from "zod";
import { sendsMail } from "@/server/access/account-mail";
import { query } from "@/server/core/operation";

/** Tells whether people can claim at all: without an SMTP server no address can be proved. */
export const claimReadiness = query({
  name: "claims.readiness",
  scope: "credentials:read",
  input: z.strictObject({}),
  run: async () => ({ sendsMail: sendsMail() }),
});
