import { escapeHtml } from "@/server/core/html";
import { quoted } from "@/server/core/quoted-name";
import { letterPage, type Letter } from "./letter";

/** The content of the mail about a decision on a claim. It is stored encrypted, because it names what was claimed. */
export interface DecidedFacts {
  organisation: string;
  title: string;
  /** The page of the credential. Null for a rejected claim. */
  credentialUrl: string | null;
  /** The page of the claim link. */
  claimUrl: string;
  homeUrl: string;
  /** Why the claim was rejected. */
  reason: string | null;
}

/** Writes the mail that a claim was approved or rejected. */
export function claimDecidedLetter(facts: DecidedFacts): Letter {
  const { credentialUrl, claimUrl, homeUrl, reason } = facts;
  const issuer = quoted(facts.organisation) ?? "The organisation";
  const what = quoted(facts.title) ?? "what you asked for";
  const subject = credentialUrl ? "Your credential is ready" : "Your request was not approved";
  const about = credentialUrl
    ? `${issuer} approved your request for ${what}. Open it, keep its link, and show it to whoever asks.`
    : `${issuer} did not approve your request for ${what}.`;
  const why = reason ? `The reason given: ${reason}` : null;
  const link = credentialUrl ?? claimUrl;
  const close = credentialUrl
    ? `All your credentials: ${homeUrl}`
    : "If you think that is a mistake, ask the organisation.";
  return {
    subject,
    text: [about, ...(why ? [why] : []), link, close].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      `<p>${escapeHtml(about)}</p>`,
      ...(why ? [`<p>${escapeHtml(why)}</p>`] : []),
      `<p><a href="${escapeHtml(link)}">${credentialUrl ? "Open my credential" : "See the decision"}</a></p>`,
      credentialUrl
        ? `<p style="color:#666"><a href="${escapeHtml(homeUrl)}">All my credentials</a></p>`
        : `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}
