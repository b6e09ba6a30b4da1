import { requestPasswordReset } from "@/server/access/request-password-reset";
import { resetPassword } from "@/server/access/reset-password";
import { verifyEmail } from "@/server/access/verify-email";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { completeSetup } from "@/server/organisations/complete-setup";
import { inspectLink } from "@/server/organisations/inspect-link";
import { fromVisitor, router } from "../trpc";

/** Actions that one-time links authorise, for people who are not signed in. */
export const linksRouter = router({
  inspect: fromVisitor(inspectLink),
  completeSetup: fromVisitor(completeSetup),
  acceptInvitation: fromVisitor(acceptInvitation),
  requestPasswordReset: fromVisitor(requestPasswordReset),
  resetPassword: fromVisitor(resetPassword),
  verifyEmail: fromVisitor(verifyEmail),
});
