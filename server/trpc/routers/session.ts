import { changePassword } from "@/server/access/change-password";
import { endOtherSessions } from "@/server/access/end-other-sessions";
import { endSessions } from "@/server/access/end-sessions";
import { listOwnSessions } from "@/server/access/list-own-sessions";
import { requestEmailVerification } from "@/server/access/request-email-verification";
import { acceptOwnInvitation } from "@/server/organisations/accept-own-invitation";
import { listOwnInvitations } from "@/server/organisations/list-own-invitations";
import { fromPerson, fromPersonQuery, procedure, router } from "../trpc";

export const sessionRouter = router({
  /** Who is signed in, where, and with which scopes; null for nobody. The organisation is changed through next-auth: `update({ orgId })`. */
  get: procedure.query(({ ctx }) => ctx.session && { ...ctx.session, scopes: [...(ctx.ctx?.scopes ?? [])] }),
  changePassword: fromPerson(changePassword),
  requestEmailVerification: fromPerson(requestEmailVerification),
  invitations: fromPersonQuery(listOwnInvitations),
  acceptInvitation: fromPerson(acceptOwnInvitation),
  endAll: fromPerson(endSessions),
  list: fromPersonQuery(listOwnSessions),
  endOthers: fromPerson(endOtherSessions),
});
