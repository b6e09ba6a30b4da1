import { z } from "zod";
import { tryCode } from "@/server/access/address-proof";
import { visitorCommand } from "@/server/core/operation";

/**
 * Tries the code that was mailed. It has no audit entry of its own: the claim has one.
 * @returns over: five wrong codes, or too late; a new code is needed
 */
export const enterClaimCode = visitorCommand({
  name: "claims.enter_code",
  input: z.strictObject({ token: z.string().max(200), digits: z.string().max(40) }),
  run: (visitor, tx, { token, digits }) => tryCode(tx, token, digits.replaceAll(/\D/g, ""), visitor.now),
});
