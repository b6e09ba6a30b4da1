import type { AccountMailKind } from "@/server/access/account-mail";
import { letterPage, escaped, type Letter } from "./letter";

export interface AccountFacts {
  kind: AccountMailKind;
  link: string;
  /** The organisation of an invitation. */
  organisation: string | null;
  expiresAt: Date;
}

/** A letter with one link, in plain text and in HTML that loads nothing. */
export function accountLetter({ kind, link, organisation, expiresAt }: AccountFacts): Letter {
  const { subject, about, action, close } = words[kind](organisation ?? "an organisation", time(expiresAt));
  return {
    subject,
    text: [about, link, close].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escaped(subject)}</h1>`,
      `<p>${escaped(about)}</p>`,
      `<p><a href="${escaped(link)}">${action}</a></p>`,
      `<p style="color:#666">${escaped(close)}</p>`,
    ),
  };
}

const words: Record<AccountMailKind, (organisation: string, until: string) => { subject: string; about: string; action: string; close: string }> = {
  invitation: (organisation, until) => ({
    subject: `Join ${organisation} on Bonafide`,
    about: `You were invited to work for ${organisation} in Bonafide, where it issues and manages its credentials. The link works once, until ${until}.`,
    action: "Join",
    close: "If you do not know this organisation, do nothing: without the link, no account is made.",
  }),
  password_reset: (_, until) => ({
    subject: "Choose a new password for Bonafide",
    about: `Somebody asked for a new password for your account. The link works once, until ${until}. It signs you out on all devices; your second factor stays.`,
    action: "Choose a new password",
    close: "If it was not you, do nothing: your password stays as it is.",
  }),
  email_verification: (_, until) => ({
    subject: "Verify your e-mail address for Bonafide",
    about: `Open this link to show that this address is yours. It works once, until ${until}.`,
    action: "Verify my address",
    close: "If you have no account with Bonafide, do nothing.",
  }),
};

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const time = (at: Date) => `${format.format(at)} UTC`;
