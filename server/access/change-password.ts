import { z } from "zod";
import { transaction } from "@/server/core/transaction";
import { parseInput } from "@/server/core/input";
import type { ConsoleSession } from "./console-session";
import { hashPassword, newPassword, typedPassword } from "./password";
import { setPassword } from "./set-password";
import { checkPassword } from "./sign-in";
import type { Visitor } from "./visitor";

const changeInput = z.strictObject({ current: typedPassword, password: newPassword });

/** Changes one's own password. Ends every session of the account, this one too: sign in anew. Leaves audit entries. */
export async function changePassword(visitor: Visitor, { user }: ConsoleSession, input: z.input<typeof changeInput>): Promise<void> {
  const { current, password } = parseInput(changeInput, input);
  await checkPassword(user.email, current, visitor.address);
  const passwordHash = await hashPassword(password);
  await transaction((tx) => setPassword(visitor, tx, { email: user.email, passwordHash }));
}
