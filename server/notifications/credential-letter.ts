import { formatMoment, formatUntil, type Region } from "@/server/core/dates";
import { escapeHtml } from "@/server/core/html";
import { letterPage, type Letter } from "./letter";
import { quoted } from "./quoted";

export interface CredentialFacts {
  organisation: string;
  region: Region;
  /** The template's name. */
  title: string;
  holder: string;
  /** Of the public page. */
  link: string;
  /** Where the credential is not valid yet. */
  validFrom: Date | null;
  expiresAt: Date | null;
}

/** Writes the letter that a credential is ready, in plain text and in HTML that loads nothing. */
export function credentialLetter(facts: CredentialFacts): Letter {
  const { region, link, validFrom, expiresAt } = facts;
  const issuer = quoted(facts.organisation) ?? "An organisation";
  const title = quoted(facts.title);
  const holder = quoted(facts.holder)?.slice(1, -1);
  const subject = title ? `Your credential ${title} is ready` : "Your credential is ready";
  const paragraphs = [
    ...(holder ? [`Dear ${holder},`] : []),
    `${issuer} issued ${title ?? "a credential"} to you.`,
    ...(validFrom ? [`It becomes valid ${formatMoment(validFrom, region)}.`] : []),
    ...(expiresAt ? [`It is valid through ${formatUntil(expiresAt, region)}.`] : []),
    "This is its page. Keep the link: whoever you show it to can see there whether the credential is valid.",
  ];
  const close = "If you do not know the organisation, do nothing. Bonafide sends this message on its behalf.";
  return {
    subject,
    text: [...paragraphs, link, close].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<p><a href="${escapeHtml(link)}">Open the credential</a></p>`,
      `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}
