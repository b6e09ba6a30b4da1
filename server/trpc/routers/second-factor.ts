import { addPasskey } from "@/server/access/second-factor/add-passkey";
import { confirmAuthenticator } from "@/server/access/second-factor/confirm-authenticator";
import { listSecondFactors } from "@/server/access/second-factor/list-second-factors";
import { makeRecoveryCodes } from "@/server/access/second-factor/make-recovery-codes";
import { passkeyRegistrationOptions } from "@/server/access/second-factor/passkey-registration-options";
import { removeAuthenticator } from "@/server/access/second-factor/remove-authenticator";
import { removePasskey } from "@/server/access/second-factor/remove-passkey";
import { renamePasskey } from "@/server/access/second-factor/rename-passkey";
import { setUpAuthenticator } from "@/server/access/second-factor/set-up-authenticator";
import { disconnectSso } from "@/server/access/sso/disconnect-sso";
import { startConnectingSso } from "@/server/access/sso/start-connecting-sso";
import { signInCookieHeader } from "@/server/access/second-factor/challenge";
import { mapped } from "../errors";
import {
  fromPerson,
  fromPersonSettingUp,
  fromPersonSettingUpQuery,
  procedure,
  router,
  confirmedSession,
  storable,
} from "../trpc";

/** A person's own second factors. The procedures that set one up are available while a second factor is due. */
export const secondFactorRouter = router({
  list: fromPersonSettingUpQuery(listSecondFactors),
  setUpAuthenticator: fromPersonSettingUp(setUpAuthenticator),
  confirmAuthenticator: fromPersonSettingUp(confirmAuthenticator),
  removeAuthenticator: fromPerson(removeAuthenticator),
  makeRecoveryCodes: fromPerson(makeRecoveryCodes),
  passkeyOptions: fromPersonSettingUp(passkeyRegistrationOptions),
  addPasskey: fromPersonSettingUp(addPasskey),
  /** Begins to connect single sign-on and returns the URL to send the browser to. */
  connectSso: procedure.input(storable<{ password?: string }>).mutation(({ ctx, input }) =>
    mapped(async () => {
      const { url, token } = await startConnectingSso(ctx.visitor, confirmedSession(ctx), input);
      ctx.setCookie(signInCookieHeader(token));
      return { url };
    }),
  ),
  disconnectSso: fromPerson(disconnectSso),
  renamePasskey: fromPerson(renamePasskey),
  removePasskey: fromPerson(removePasskey),
});
