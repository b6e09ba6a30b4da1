import { resetPassword } from "@/server/access/reset-password";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { completeSetup } from "@/server/organisations/complete-setup";
import { inspectLink } from "@/server/organisations/inspect-link";
import { fromVisitor, router } from "../trpc";

/** What one-time links admit, for people who have not signed in. */
export const linksRouter = router({
  inspect: fromVisitor(inspectLink),
  completeSetup: fromVisitor(completeSetup),
  acceptInvitation: fromVisitor(acceptInvitation),
  resetPassword: fromVisitor(resetPassword),
});
