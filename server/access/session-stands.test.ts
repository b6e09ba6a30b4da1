import { expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { makeSecondFactorOptional } from "@/server/organisations/make-second-factor-optional";
import { publicId } from "@/server/core/ids";
import { password, person, visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { changePassword } from "./change-password";
import { consoleSession, type ConsoleSession } from "./console-session";
import { makeRecoveryCodes } from "./second-factor/make-recovery-codes";
import { passkeyRegistrationOptions } from "./second-factor/passkey-registration-options";
import { removeAuthenticator } from "./second-factor/remove-authenticator";
import { setUpAuthenticator } from "./second-factor/set-up-authenticator";
import { disconnectSso } from "./sso/disconnect-sso";
import { startConnectingSso } from "./sso/start-connecting-sso";

type Act = (session: ConsoleSession) => Promise<unknown>;

const acts: [string, Act][] = [
  ["a new password", (s) => changePassword(visitor(), s, { current: password, password: "another good password" })],
  ["an authenticator app that is set up", (s) => setUpAuthenticator(visitor(), s, { password })],
  ["an authenticator app that is removed", (s) => removeAuthenticator(visitor(), s, { password })],
  ["recovery codes", (s) => makeRecoveryCodes(visitor(), s, { password })],
  ["a passkey that is begun", (s) => passkeyRegistrationOptions(visitor(), s, { password })],
  ["single sign-on that is disconnected", (s) => disconnectSso(visitor(), s, { password })],
  ["single sign-on that is being connected", (s) => startConnectingSso(visitor(), s, { password })],
  [
    "a second factor that nobody needs any more",
    (s) => makeSecondFactorOptional(visitor(), s, { organisationId: publicId("org", s.current!.orgId), password }),
  ],
];

const ends: [string, string][] = [
  ["its session is ended", `UPDATE console_sessions SET ended_at = now() WHERE user_id = $1`],
  ["all sessions are ended", `UPDATE users SET session_version = session_version + 1 WHERE id = $1`],
  ["the account is disabled", `UPDATE users SET disabled_at = now() WHERE id = $1`],
];

it.each(acts.flatMap(([what, act]) => ends.map(([why, end]) => [what, why, act, end] as const)))(
  "%s has no effect if %s while the password is checked",
  async (_, __, act, end) => {
    const { headers } = await person(await world(), "owner");
    const session = (await consoleSession(headers))!;
    const { id } = session.user;
    // The change that ends it has begun but not committed: the password is checked against the earlier state, and the
    // action waits for the change.
    const ending = await pool().connect();
    await ending.query("BEGIN");
    await ending.query(end, [id]);
    const failure = act(session).then(
      () => "it took effect",
      (error: unknown) => error,
    );
    await untilWaitingForLock(1);
    await ending.query("COMMIT");
    ending.release();
    expect(await failure).toMatchObject({ code: "unauthenticated" });
    const before = `SELECT password_hash, (SELECT count(*) FROM authenticator_apps WHERE user_id = $1) AS apps, (SELECT count(*) FROM challenges WHERE user_id = $1) AS begun FROM users WHERE id = $1`;
    expect(await sql(before, [id])).toMatchObject([{ apps: 0, begun: 0 }]);
  },
);
