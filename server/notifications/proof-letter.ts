import { escapeHtml } from "@/server/core/html";
import type { Language } from "@/server/core/languages";
import { letterPageIn, type Letter } from "./letter";
import { quoted } from "@/server/core/quoted-name";

interface LinkWords {
  subject: string;
  /** Says for how long the link works, not until when: without an organisation there is no time zone. */
  about: string;
  action: string;
  close: string;
}

interface Words {
  code: { subject: (code: string) => string; about: (issuer: string | null, until: string) => string; close: string };
  home: LinkWords;
  newAddress: LinkWords;
}

const english: Words = {
  code: {
    subject: (code) => `${code} is your code`,
    about: (issuer, until) =>
      `Enter this code on the page of ${issuer ?? "an organisation"} that you opened. It works until ${until}.`,
    close: "If you did not ask for it, do nothing, and give the code to nobody.",
  },
  home: {
    subject: "Your credentials on Bonafide",
    about:
      "Open this link to see the credentials that were issued to this address. It works once, for an hour after it was asked for.",
    action: "See my credentials",
    close: "If you did not ask for it, do nothing, and give the link to nobody.",
  },
  newAddress: {
    subject: "Add this address to your credentials on Bonafide",
    about:
      "Somebody who sees their credentials on Bonafide asked to add this address, so that it leads to them too. If it was you, open the link. It works once, for an hour after it was asked for.",
    action: "Add this address",
    close: "If it was not you, do nothing: nothing is added.",
  },
};

const german: Words = {
  code: {
    subject: (code) => `${code} ist Ihr Code`,
    about: (issuer, until) =>
      `Geben Sie diesen Code auf der Seite von ${issuer ?? "einer Organisation"} ein, die Sie geöffnet haben. Er gilt bis ${until}.`,
    close: "Wenn Sie ihn nicht angefordert haben, tun Sie nichts, und geben Sie den Code niemandem.",
  },
  home: {
    subject: "Ihre Nachweise bei Bonafide",
    about:
      "Öffnen Sie diesen Link, um die Nachweise zu sehen, die an diese Adresse ausgestellt wurden. Er gilt einmal, und eine Stunde lang, seit er angefordert wurde.",
    action: "Meine Nachweise ansehen",
    close: "Wenn Sie ihn nicht angefordert haben, tun Sie nichts, und geben Sie den Link niemandem.",
  },
  newAddress: {
    subject: "Diese Adresse zu Ihren Nachweisen bei Bonafide hinzufügen",
    about:
      "Jemand, der seine Nachweise bei Bonafide ansieht, möchte diese Adresse hinzufügen, damit auch sie zu ihnen führt. Wenn Sie das waren, öffnen Sie den Link. Er gilt einmal, und eine Stunde lang, seit er angefordert wurde.",
    action: "Diese Adresse hinzufügen",
    close: "Wenn Sie es nicht waren, tun Sie nichts: Es wird nichts hinzugefügt.",
  },
};

const words: Record<Language, Words> = { en: english, de: german };

/** Writes the letter with the code of a claim. */
export function claimCodeLetter(
  { organisation, code, until }: { organisation: string | null; code: string; until: string },
  language: Language,
): Letter {
  const { subject, about, close } = words[language].code;
  const enter = about(quoted(organisation), until);
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  return {
    subject: subject(spaced),
    text: [enter, spaced, close].join("\n\n") + "\n",
    html: letterPageIn(
      language,
      `<p>${escapeHtml(enter)}</p>`,
      `<p style="font-size:28px;font-weight:600;letter-spacing:2px">${spaced}</p>`,
      `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}

/** Writes the letter with the link to the holder's home. */
export const homeLetter = (link: string, language: Language): Letter => withLink(link, words[language].home, language);

/** Writes the letter that adds an address to a holder's home. */
export const newAddressLetter = (link: string, language: Language): Letter =>
  withLink(link, words[language].newAddress, language);

function withLink(link: string, { subject, about, action, close }: LinkWords, language: Language) {
  return {
    subject,
    text: [about, link, close].join("\n\n") + "\n",
    html: letterPageIn(
      language,
      `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
      `<p>${escapeHtml(about)}</p>`,
      `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`,
      `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}
