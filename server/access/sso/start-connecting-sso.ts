import { z } from "zod";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import { confirmPerson, retypedPassword } from "../second-factor/confirm-person";
import { requireLiveSession } from "../session-stands";
import type { Visitor } from "../visitor";
import { startSso } from "./start-sso";

const connectInput = z.strictObject({ password: retypedPassword });

/**
 * Begins to connect a person's account with single sign-on, after checking the password. connectSso completes it and
 * leaves the audit entries.
 */
export async function startConnectingSso(
  visitor: Visitor,
  session: ConsoleSession,
  input: z.input<typeof connectInput>,
) {
  const { password } = parseInput(connectInput, input);
  await confirmPerson(visitor, session, password);
  const [user] = await transaction(async (tx) => {
    await requireLiveSession(tx, session, new Date());
    return tx.sql<{ version: number }>(`SELECT session_version AS version FROM users WHERE id = $1`, [session.user.id]);
  });
  return startSso(visitor, { next: "/settings/account" }, { id: session.user.id, sessionVersion: user!.version });
}
