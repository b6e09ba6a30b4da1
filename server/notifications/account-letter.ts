import type { AccountMailKind, ProofMailKind, SignInChange } from "@/server/access/account-mail";
import { escapeHtml } from "@/server/core/html";
import { letterPage, type Letter } from "./letter";
import { quoted } from "@/server/core/quoted-name";

/** The kinds of letters that contain a one-time link. */
type LinkKind = Exclude<AccountMailKind, "password_changed" | "sign_in_changed" | "claim_decided" | ProofMailKind>;

export interface AccountFacts {
  kind: LinkKind;
  link: string;
  /** The organisation of an invitation. */
  organisation: string | null;
  expiresAt: Date;
}

const named = (organisation: string | null) => quoted(organisation) ?? "an organisation";

/** Writes a letter with one link, in plain text and in HTML that loads nothing. */
export function accountLetter({ kind, link, organisation, expiresAt }: AccountFacts): Letter {
  const { subject, about, action, close } = words[kind](named(organisation), time(expiresAt));
  return {
    subject,
    text: [about, link, close].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      `<p>${escapeHtml(about)}</p>`,
      `<p><a href="${escapeHtml(link)}">${action}</a></p>`,
      `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}

/**
 * Writes the letter that the password was changed, so that people notice if somebody else changed it.
 * @param publicUrl without a trailing slash
 */
export function passwordChangedLetter(at: Date, publicUrl: string): Letter {
  return warning(
    "Your Bonafide password was changed",
    `The password of your account was changed on ${time(at)}. All devices were signed out.`,
    publicUrl,
  );
}

const changeWords: Record<SignInChange, string> = {
  "user.authenticator_app_added": "An authenticator app was added to your account",
  "user.authenticator_app_removed": "The authenticator app was removed from your account",
  "user.passkey_added": "A passkey was added to your account",
  "user.passkey_removed": "A passkey was removed from your account",
  "user.recovery_codes_made": "New recovery codes were made for your account",
  "user.second_factor_reset": "The second factors of your account were reset by the operator",
  "user.sso_connected": "Single sign-on was connected with your account",
  "user.sso_disconnected": "Single sign-on was disconnected from your account",
};

/** Writes the letter that a way to sign in was changed. @param publicUrl without a trailing slash */
export function signInChangedLetter(change: SignInChange, at: Date, publicUrl: string): Letter {
  return warning(`${changeWords[change]} on Bonafide`, `${changeWords[change]} on ${time(at)}.`, publicUrl);
}

function warning(subject: string, about: string, publicUrl: string): Letter {
  const close = "If it was not you, choose a new password at once, and tell an owner of your organisation.";
  const link = `${publicUrl}/forgot-password`;
  return {
    subject,
    text: [about, close, link].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      `<p>${escapeHtml(about)}</p>`,
      `<p>${escapeHtml(close)}</p>`,
      `<p><a href="${escapeHtml(link)}">Choose a new password</a></p>`,
    ),
  };
}

const words: Record<
  LinkKind,
  (organisation: string, until: string) => { subject: string; about: string; action: string; close: string }
> = {
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
