import { changePassword } from "@/server/access/change-password";
import type { ConsoleSession } from "@/server/access/console-session";
import { endOtherSessions } from "@/server/access/end-other-sessions";
import { endSessions } from "@/server/access/end-sessions";
import { listOwnSessions } from "@/server/access/list-own-sessions";
import type { MembershipOf } from "@/server/access/memberships";
import { requestEmailVerification } from "@/server/access/request-email-verification";
import { publicId } from "@/server/core/ids";
import { acceptOwnInvitation } from "@/server/organisations/accept-own-invitation";
import { listOwnInvitations } from "@/server/organisations/list-own-invitations";
import { fromPerson, fromPersonQuery, procedure, router } from "../trpc";

export const sessionRouter = router({
  /**
   * Returns the signed-in person, their current organisation and scopes; null without a session. The organisation is
   * changed through next-auth: `update({ orgId })`.
   */
  get: procedure.query(({ ctx }) => ctx.session && { ...shown(ctx.session), scopes: [...(ctx.ctx?.scopes ?? [])] }),
  changePassword: fromPerson(changePassword),
  requestEmailVerification: fromPerson(requestEmailVerification),
  invitations: fromPersonQuery(listOwnInvitations),
  acceptInvitation: fromPerson(acceptOwnInvitation),
  endAll: fromPerson(endSessions),
  list: fromPersonQuery(listOwnSessions),
  endOthers: fromPerson(endOtherSessions),
});

/** Converts a session into the form that pages receive. */
function shown({ user, memberships, sessionId, current, ...session }: ConsoleSession) {
  return {
    ...session,
    user: { ...user, id: publicId("usr", user.id) },
    memberships: memberships.map(shownMembership),
    sessionId: publicId("ses", sessionId),
    current: current && shownMembership(current),
  };
}

const shownMembership = (membership: MembershipOf) => ({ ...membership, orgId: publicId("org", membership.orgId) });
