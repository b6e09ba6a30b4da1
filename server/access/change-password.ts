import { z } from "zod";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "./console-session";
import { requireLiveSession } from "./session-stands";
import { hashNewPassword, newPassword, typedPassword } from "./password";
import { setPassword } from "./set-password";
import { checkPassword } from "./sign-in";

/** Changes a person's own password. Ends every session of the account, also the current one. Leaves audit entries. */
export const changePassword = personCommand({
  name: "users.change_password",
  input: z.strictObject({ current: typedPassword, password: newPassword }),
  async prepare(visitor, { user, memberships }: ConsoleSession, { current, password }) {
    await checkPassword(visitor, user.email, current);
    return hashNewPassword(password, { email: user.email, organisations: memberships.map((each) => each.name) });
  },
  standing: requireLiveSession,
  run: (visitor, tx, { user }, _, passwordHash) => setPassword(visitor, tx, { email: user.email, passwordHash }),
});
