import { z } from "zod";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "./console-session";
import { hashPassword, newPassword, typedPassword } from "./password";
import { refusePersonal } from "./password-strength";
import { setPassword } from "./set-password";
import { checkPassword } from "./sign-in";

/** Changes one's own password. Ends every session of the account, this one too: sign in anew. Leaves audit entries. */
export const changePassword = personCommand({
  name: "users.change_password",
  input: z.strictObject({ current: typedPassword, password: newPassword }),
  async prepare(visitor, { user, memberships }: ConsoleSession, { current, password }) {
    refusePersonal(password, { email: user.email, organisations: memberships.map((each) => each.name) });
    await checkPassword(visitor, user.email, current);
    return hashPassword(password);
  },
  run: (visitor, tx, { user }, _, passwordHash) => setPassword(visitor, tx, { email: user.email, passwordHash }),
});
