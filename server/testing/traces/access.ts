import { addOAuthSecret } from "@/server/access/add-oauth-secret";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { createPasswordReset } from "@/server/access/create-password-reset";
import { disableUser } from "@/server/access/disable-user";
import { enableUser } from "@/server/access/enable-user";
import { endUserSessions } from "@/server/access/end-user-sessions";
import { retireOAuthSecret } from "@/server/access/retire-oauth-secret";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { resetSecondFactor } from "@/server/access/second-factor/reset-second-factor";
import type { Ctx } from "@/server/core/context";
import { changeRole } from "@/server/organisations/change-role";
import { confirmOrganisationName } from "@/server/organisations/confirm-name";
import { deleteUser } from "@/server/organisations/delete-user";
import { inviteMember } from "@/server/organisations/invite-member";
import { limitOrganisation } from "@/server/organisations/limit";
import { listInvitations } from "@/server/organisations/list-invitations";
import { removeMember } from "@/server/organisations/remove-member";
import { requireSecondFactor } from "@/server/organisations/require-second-factor";
import { resumeOrganisation } from "@/server/organisations/resume";
import { suspendOrganisation } from "@/server/organisations/suspend";
import { updateOrganisation } from "@/server/organisations/update";
import { withdrawInvitation } from "@/server/organisations/withdraw-invitation";
import { person } from "../person";
import { withApp } from "../second-factor";
import type { Step } from "./step";

/** A command on an account that only the operator has, by its e-mail address. */
const ofOperator = (
  operation: Step["operation"] & ((ctx: Ctx, input: { email: string }) => Promise<unknown>),
  audit: string[],
  before?: (ctx: Ctx, of: Awaited<ReturnType<typeof person>>) => Promise<unknown>,
): Step => ({
  operation,
  async prepare(ctx) {
    const made = await person({ ctx }, "viewer");
    await before?.(ctx, made);
    return () => operation(ctx, { email: made.email });
  },
  events: [],
  audit,
});

const ofClient = (
  operation: Step["operation"] & ((ctx: Ctx, input: { id: string; secretId: string }) => Promise<unknown>),
  audit: string[],
  input: (made: { id: string; secrets: { id: string }[] }) => object = ({ id }) => ({ id }),
): Step => ({
  operation,
  async prepare(ctx) {
    const made = await createOAuthClient(ctx, { name: "Portal" });
    return () => operation(ctx, input(made) as never);
  },
  events: [],
  audit,
});

/** Members, keys and clients, which people change in the console and operators by commands. */
export const accessSteps: Step[] = [
  {
    operation: createApiKey,
    prepare: async (ctx) => () => createApiKey(ctx, { name: "Import" }),
    events: [],
    audit: ["api_key.created"],
  },
  {
    operation: revokeApiKey,
    async prepare(ctx) {
      const { id } = await createApiKey(ctx, { name: "Import" });
      return () => revokeApiKey(ctx, { id });
    },
    events: [],
    audit: ["api_key.revoked"],
  },
  {
    operation: createOAuthClient,
    prepare: async (ctx) => () => createOAuthClient(ctx, { name: "Portal" }),
    events: [],
    audit: ["oauth_client.created"],
  },
  ofClient(addOAuthSecret, ["oauth_client.secret_added"]),
  ofClient(retireOAuthSecret, ["oauth_client.secret_retired"], ({ id, secrets }) => ({
    id,
    secretId: secrets[0]!.id,
  })),
  ofClient(revokeOAuthClient, ["oauth_client.revoked"]),
  {
    operation: inviteMember,
    prepare: async (ctx) => () => inviteMember(ctx, { email: "ada@example.edu", role: "viewer" }),
    events: [],
    audit: ["member.invited"],
  },
  {
    operation: withdrawInvitation,
    async prepare(ctx) {
      await inviteMember(ctx, { email: "ada@example.edu", role: "viewer" });
      const [invitation] = await listInvitations(ctx, {});
      return () => withdrawInvitation(ctx, { id: invitation!.id });
    },
    events: [],
    audit: ["member.invitation_withdrawn"],
  },
  {
    operation: changeRole,
    async prepare(ctx) {
      const { memberId } = await person({ ctx }, "viewer");
      return () => changeRole(ctx, { id: memberId, role: "issuer" });
    },
    events: [],
    audit: ["member.role_changed"],
  },
  {
    operation: removeMember,
    async prepare(ctx) {
      const { memberId } = await person({ ctx }, "viewer");
      return () => removeMember(ctx, { id: memberId });
    },
    events: [],
    audit: ["member.removed"],
  },
  {
    operation: requireSecondFactor,
    prepare: async (ctx) => () => requireSecondFactor(ctx, { required: true }),
    events: [],
    audit: ["organisation.second_factor_required"],
  },
  ofOperator(createPasswordReset, ["user.password_reset_created"]),
  ofOperator(disableUser, ["user.disabled"]),
  ofOperator(enableUser, ["user.enabled"], (ctx, { email }) => disableUser(ctx, { email })),
  ofOperator(endUserSessions, ["session.all_ended"]),
  ofOperator(resetSecondFactor, ["user.second_factor_reset"], (_, { headers }) => withApp(headers)),
  ofOperator(deleteUser, ["member.removed"]),
  {
    operation: confirmOrganisationName,
    async prepare(ctx) {
      await updateOrganisation(ctx, { name: "Another name" });
      return () => confirmOrganisationName(ctx, {});
    },
    events: [],
    audit: ["organisation.name_confirmed"],
  },
  {
    operation: limitOrganisation,
    prepare: async (ctx) => () => limitOrganisation(ctx, { requestsPerMinute: 10 }),
    events: [],
    audit: ["organisation.limited"],
  },
  {
    operation: suspendOrganisation,
    prepare: async (ctx) => () => suspendOrganisation(ctx, {}),
    events: [],
    audit: ["organisation.suspended"],
  },
  {
    operation: resumeOrganisation,
    async prepare(ctx) {
      await suspendOrganisation(ctx, {});
      return () => resumeOrganisation(ctx, {});
    },
    events: [],
    audit: ["organisation.resumed"],
  },
];
