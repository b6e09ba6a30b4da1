import { escapeHtml } from "@/server/core/html";
import type { Language } from "@/server/core/languages";
import { quoted } from "@/server/core/quoted-name";
import { letterPageIn, type Letter } from "./letter";

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

interface Words {
  anIssuer: string;
  aTitle: string;
  approved: { subject: string; about: (issuer: string, what: string) => string; action: string; all: string };
  rejected: { subject: string; about: (issuer: string, what: string) => string; action: string; close: string };
  reason: string;
  allAt: string;
}

const words: Record<Language, Words> = {
  en: {
    anIssuer: "The organisation",
    aTitle: "what you asked for",
    approved: {
      subject: "Your credential is ready",
      about: (issuer, what) =>
        `${issuer} approved your request for ${what}. Open it, keep its link, and show it to whoever asks.`,
      action: "Open my credential",
      all: "All my credentials",
    },
    rejected: {
      subject: "Your request was not approved",
      about: (issuer, what) => `${issuer} did not approve your request for ${what}.`,
      action: "See the decision",
      close: "If you think that is a mistake, ask the organisation.",
    },
    reason: "The reason given:",
    allAt: "All your credentials:",
  },
  de: {
    anIssuer: "Die Organisation",
    aTitle: "das, worum Sie gebeten haben",
    approved: {
      subject: "Ihr Nachweis ist da",
      about: (issuer, what) =>
        `${issuer} hat Ihre Anfrage genehmigt: ${what}. Öffnen Sie den Nachweis, bewahren Sie den Link auf, und zeigen Sie ihn, wo danach gefragt wird.`,
      action: "Meinen Nachweis öffnen",
      all: "Alle meine Nachweise",
    },
    rejected: {
      subject: "Ihre Anfrage wurde nicht genehmigt",
      about: (issuer, what) => `${issuer} hat Ihre Anfrage nicht genehmigt: ${what}.`,
      action: "Die Entscheidung ansehen",
      close: "Wenn Sie das für einen Irrtum halten, fragen Sie die Organisation.",
    },
    reason: "Der angegebene Grund:",
    allAt: "Alle Ihre Nachweise:",
  },
};

/** Writes the letter that a claim was approved or rejected. */
export function claimDecidedLetter(facts: DecidedFacts, language: Language): Letter {
  const { credentialUrl, claimUrl, homeUrl, reason } = facts;
  const { anIssuer, aTitle, approved, rejected, ...own } = words[language];
  const { subject, about, action } = credentialUrl ? approved : rejected;
  const what = about(quoted(facts.organisation) ?? anIssuer, quoted(facts.title) ?? aTitle);
  const why = reason ? `${own.reason} ${reason}` : null;
  const link = credentialUrl ?? claimUrl;
  const close = credentialUrl ? `${own.allAt} ${homeUrl}` : rejected.close;
  return {
    subject,
    text: [what, ...(why ? [why] : []), link, close].join("\n\n") + "\n",
    html: letterPageIn(
      language,
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      `<p>${escapeHtml(what)}</p>`,
      ...(why ? [`<p>${escapeHtml(why)}</p>`] : []),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`,
      credentialUrl
        ? `<p style="color:#666"><a href="${escapeHtml(homeUrl)}">${escapeHtml(approved.all)}</a></p>`
        : `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}
