import { z } from "zod";
import { tryCode } from "@/server/access/address-proof";
import { visitorCommand } from "@/server/core/operation";

/**
 * Checks the code that was mailed to a claimant. Leaves no audit entry; the claim itself leaves one.
 * @returns `over` after five wrong codes or after the code expired; the claimant then needs a new code
 */
export const enterClaimCode = visitorCommand({
  name: "claims.enter_code",
  input: z.strictObject({ token: z.string().max(200), digits: z.string().max(40) }),
  run: (visitor, tx, { token, digits }) => tryCode(tx, token, digits.replaceAll(/\D/g, ""), visitor.now),
});
