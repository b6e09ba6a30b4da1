import { consoleSession, type ConsoleSession } from "@/server/access/console-session";
import { addPasskey } from "@/server/access/second-factor/add-passkey";
import { totp } from "@/server/access/second-factor/authenticator-code";
import { confirmAuthenticator } from "@/server/access/second-factor/confirm-authenticator";
import { passkeyRegistrationOptions } from "@/server/access/second-factor/passkey-registration-options";
import { setUpAuthenticator } from "@/server/access/second-factor/set-up-authenticator";
import { SecondFactorNeeded, signIn } from "@/server/access/sign-in";
import { Authenticator } from "./authenticator";
import { password, visitor } from "./person";

const stepMs = 30_000;

/** Returns the code that an authenticator app shows, now or `steps` steps of 30 seconds later. */
export const codeOf = (secret: string, steps = 0) => totp(secret).generate({ timestamp: Date.now() + steps * stepMs });

export const sessionOf = async (headers: Headers): Promise<ConsoleSession> => (await consoleSession(headers))!;

/** Sets up an authenticator app with the code of the previous step, so that the present code is still unused. */
export async function withApp(headers: Headers) {
  const session = await sessionOf(headers);
  const { secret } = await setUpAuthenticator(visitor(), session, { password });
  // One clock for the code and its check: with two clocks, the step could pass between them and the code would be too
  // old.
  const who = visitor();
  const code = totp(secret).generate({ timestamp: who.now.getTime() - stepMs });
  const { recoveryCodes } = await confirmAuthenticator(who, session, { code });
  return { secret, recoveryCodes: recoveryCodes! };
}

/** Registers a passkey. */
export async function withPasskey(headers: Headers, name = "Laptop") {
  const session = await sessionOf(headers);
  const authenticator = new Authenticator();
  const options = await passkeyRegistrationOptions(visitor(), session, { password });
  const { id, recoveryCodes } = await addPasskey(visitor(), session, { name, response: authenticator.create(options) });
  return { authenticator, id, recoveryCodes };
}

/** Returns the token of a sign-in after its first step. */
export async function firstStep(email: string, who = visitor()): Promise<string> {
  const outcome = await signIn(who, { email, password }).catch((error: unknown) => error);
  if (outcome instanceof SecondFactorNeeded) return outcome.token;
  throw new Error("The password alone started a session", { cause: outcome });
}
