import type { ConfirmationView } from "@/server/credentials/confirmation";

/** How far a holder is who was asked to confirm the name, and what to do where that is up to the organisation. */
export function progressOf(
  { email, mail, requestedName }: Pick<ConfirmationView, "email" | "mail" | "requestedName">,
  isExpired: boolean,
): string {
  if (requestedName !== null) return `Asks to be called “${requestedName}”. That has to be decided first.`;
  if (isExpired) return "The link has expired. Send a new one, or confirm the name yourself.";
  if (email === null) return "Has no e-mail address. Pass the link on, or confirm the name yourself.";
  switch (mail) {
    case "sent":
      return `The link went to ${email}.`;
    case "bounced":
      return `The mail server refused ${email}. Correct the address, then send the link again.`;
    case "failed":
      return `The e-mail to ${email} was not sent. Send the link again, or pass it on.`;
    case "pending":
      return `The e-mail to ${email} waits to be sent. You can pass the link on meanwhile.`;
    default:
      return `Nothing was sent to ${email} yet. Send the link, or pass it on.`;
  }
}
