import { z } from "zod";
import { transaction } from "@/server/core/transaction";
import { parseInput } from "@/server/core/input";
import { findLink, redeemLink } from "./one-time-link";
import { hashPassword, newPassword } from "./password";
import { setPassword } from "./set-password";
import type { Visitor } from "./visitor";

const resetInput = z.strictObject({ token: z.string().max(200), password: newPassword });

/** Sets a new password by a one-time link. Ends every session of the account at once. Leaves audit entries. */
export async function resetPassword(visitor: Visitor, input: z.input<typeof resetInput>) {
  const { token, password } = parseInput(resetInput, input);
  await findLink(token, visitor.now, "password_reset");
  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    const { email } = await redeemLink(tx, token, visitor.now, "password_reset");
    await setPassword(visitor, tx, { email: email!, passwordHash });
    return { email: email! };
  });
}
