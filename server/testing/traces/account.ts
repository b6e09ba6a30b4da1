import { addPasskey } from "@/server/access/second-factor/add-passkey";
import { changePassword } from "@/server/access/change-password";
import type { ConsoleSession } from "@/server/access/console-session";
import { endOtherSessions } from "@/server/access/end-other-sessions";
import { endSession } from "@/server/access/end-session";
import { endSessions } from "@/server/access/end-sessions";
import { confirmAuthenticator } from "@/server/access/second-factor/confirm-authenticator";
import { makeRecoveryCodes } from "@/server/access/second-factor/make-recovery-codes";
import { passkeyRegistrationOptions } from "@/server/access/second-factor/passkey-registration-options";
import { removeAuthenticator } from "@/server/access/second-factor/remove-authenticator";
import { removePasskey } from "@/server/access/second-factor/remove-passkey";
import { renamePasskey } from "@/server/access/second-factor/rename-passkey";
import { setUpAuthenticator } from "@/server/access/second-factor/set-up-authenticator";
import { signIn } from "@/server/access/sign-in";
import { switchOrganisation } from "@/server/access/switch-organisation";
import { resetPassword } from "@/server/access/reset-password";
import { createPasswordReset } from "@/server/access/create-password-reset";
import { publicId } from "@/server/core/ids";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { acceptOwnInvitation } from "@/server/organisations/accept-own-invitation";
import { inviteMember } from "@/server/organisations/invite-member";
import { listOwnInvitations } from "@/server/organisations/list-own-invitations";
import { makeSecondFactorOptional } from "@/server/organisations/make-second-factor-optional";
import { requireSecondFactor } from "@/server/organisations/require-second-factor";
import { Authenticator } from "../authenticator";
import { password, person, tokenIn, visitor } from "../person";
import { codeOf, sessionOf, withApp, withPasskey } from "../second-factor";
import { world } from "../world";
import type { Step } from "./step";

type Person = Awaited<ReturnType<typeof person>>;

/** A command of a person on their own account, with the preparation `before` it. */
const ownAfter = <Made>(
  operation: Step["operation"],
  audit: string[],
  before: (who: Person) => Promise<Made>,
  act: (session: ConsoleSession, made: Made) => Promise<unknown>,
): Step => ({
  operation,
  async prepare(ctx) {
    const who = await person({ ctx }, "owner");
    const made = await before(who);
    const session = await sessionOf(who.headers);
    return () => act(session, made);
  },
  events: [],
  ...(audit.length > 0 ? { audit } : { nothingToDo: true }),
});

const own = (operation: Step["operation"], audit: string[], act: (session: ConsoleSession) => Promise<unknown>) =>
  ownAfter(operation, audit, async () => undefined, act);

/** What people do with their own account, their sessions and ways to sign in. */
export const accountSteps: Step[] = [
  own(changePassword, ["user.password_changed"], (session) =>
    changePassword(visitor(), session, { current: password, password: "another good password" }),
  ),
  ownAfter(
    endOtherSessions,
    ["session.others_ended"],
    ({ email }) => signIn(visitor(), { email, password }),
    (session) => endOtherSessions(visitor(), session, {}),
  ),
  own(endSession, ["session.ended"], (session) => endSession(visitor(), session, {})),
  own(endSessions, ["session.all_ended"], (session) => endSessions(visitor(), session, {})),
  // Nothing counts until the code or the passkey is shown.
  own(setUpAuthenticator, [], (session) => setUpAuthenticator(visitor(), session, { password })),
  own(passkeyRegistrationOptions, [], (session) => passkeyRegistrationOptions(visitor(), session, { password })),
  ownAfter(
    confirmAuthenticator,
    ["user.authenticator_app_added"],
    async ({ headers }) => setUpAuthenticator(visitor(), await sessionOf(headers), { password }),
    (session, { secret }) => confirmAuthenticator(visitor(), session, { code: codeOf(secret) }),
  ),
  ownAfter(
    removeAuthenticator,
    ["user.authenticator_app_removed"],
    ({ headers }) => withApp(headers),
    (session) => removeAuthenticator(visitor(), session, { password }),
  ),
  ownAfter(
    makeRecoveryCodes,
    ["user.recovery_codes_made"],
    ({ headers }) => withApp(headers),
    (session) => makeRecoveryCodes(visitor(), session, { password }),
  ),
  ownAfter(
    addPasskey,
    ["user.passkey_added"],
    async ({ headers }) =>
      new Authenticator().create(await passkeyRegistrationOptions(visitor(), await sessionOf(headers), { password })),
    (session, response) => addPasskey(visitor(), session, { name: "Laptop", response }),
  ),
  ownAfter(
    renamePasskey,
    ["user.passkey_renamed"],
    ({ headers }) => withPasskey(headers),
    (session, { id }) => renamePasskey(visitor(), session, { id, name: "Phone" }),
  ),
  ownAfter(
    removePasskey,
    ["user.passkey_removed"],
    ({ headers }) => withPasskey(headers),
    (session, { id }) => removePasskey(visitor(), session, { id, password }),
  ),
  {
    operation: makeSecondFactorOptional,
    async prepare(ctx) {
      const { headers } = await person({ ctx }, "owner");
      await withApp(headers);
      await requireSecondFactor(ctx, { required: true });
      const session = await sessionOf(headers);
      return () =>
        makeSecondFactorOptional(visitor(), session, { organisationId: publicId("org", ctx.orgId), password });
    },
    events: [],
    audit: ["organisation.second_factor_optional"],
  },
  {
    operation: acceptOwnInvitation,
    async prepare(ctx) {
      const { email, headers } = await person(await world(), "viewer");
      await inviteMember(ctx, { email, role: "viewer" });
      const session = await sessionOf(headers);
      const [invitation] = await listOwnInvitations(visitor(), session);
      return () => acceptOwnInvitation(visitor(), session, { id: invitation!.id });
    },
    events: [],
    audit: ["member.joined"],
  },
  {
    operation: acceptInvitation,
    async prepare(ctx) {
      const { url } = await inviteMember(ctx, { email: "ada-accepts@example.edu", role: "viewer" });
      return () => acceptInvitation(visitor(), { token: tokenIn(url), password });
    },
    events: [],
    audit: ["member.joined"],
  },
  {
    operation: resetPassword,
    async prepare(ctx) {
      const { email } = await person({ ctx }, "viewer");
      const { url } = await createPasswordReset(ctx, { email });
      return () => resetPassword(visitor(), { token: tokenIn(url), password: "another good password" });
    },
    events: [],
    audit: ["user.password_changed"],
  },
  {
    operation: switchOrganisation,
    async prepare(ctx) {
      const { email, claims } = await person(await world(), "viewer");
      const { url } = await inviteMember(ctx, { email, role: "viewer" });
      await acceptInvitation(visitor(), { token: tokenIn(url), password });
      return () => switchOrganisation(visitor(), { claims, orgId: publicId("org", ctx.orgId) });
    },
    events: [],
    audit: ["session.entered"],
  },
];
