import type { ConfirmationView } from "@/server/credentials/confirmation";

/** Describes the state of a request to confirm a name, and what to do if the organisation has to act. */
export function progressOf(
  { email, mail, requestedName, obstacle }: Pick<ConfirmationView, "email" | "mail" | "requestedName" | "obstacle">,
  isExpired: boolean,
): string {
  if (obstacle) return obstacleWords[obstacle];
  if (requestedName !== null) return `Asks to be called “${requestedName}”. That has to be decided first.`;
  if (isExpired)
    return `The link has expired. ${email === null ? "Make" : "Send"} a new one, or confirm the name yourself.`;
  if (email === null) return "Has no e-mail address. Pass the link on, or confirm the name yourself.";
  switch (mail) {
    case "sent":
      return `The link went to ${email}.`;
    case "bounced":
      return `The mail server refused ${email}. Correct the address, and the new one gets a link by itself.`;
    case "failed":
      return `The e-mail to ${email} was not sent. Send the link again, or pass it on.`;
    case "pending":
      return `The e-mail to ${email} waits to be sent. You can pass the link on meanwhile.`;
    default:
      return `Nothing was sent to ${email} yet. Send the link, or pass it on.`;
  }
}

/**
 * The label of the button that makes a new link; null while the present link waits to be sent, or can only be passed on.
 * A new link would end one that somebody passed on meanwhile.
 */
export function newLinkStep({ email, mail }: Pick<ConfirmationView, "email" | "mail">, isExpired: boolean) {
  if (email === null) return isExpired ? "New link" : null;
  if (isExpired) return "Send new link";
  if (mail === "pending") return null;
  return mail === null || mail === "cancelled" ? "Send link" : "Send again";
}

const obstacleWords: Record<NonNullable<ConfirmationView["obstacle"]>, string> = {
  inactive: "Cannot be issued: the person is inactive. Make the person active again, or cancel this.",
  expired:
    "Cannot be issued: the credential would have expired already. Cancel this, and issue anew with a later expiry.",
  held: "Cannot be issued: the person holds this credential already. Cancel this.",
  revoked:
    "Cannot be issued: the person’s credential of this template was revoked since. Cancel this, and issue anew if that is right.",
};
