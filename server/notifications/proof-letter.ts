import { escapeHtml } from "@/server/core/html";
import { letterPage, type Letter } from "./letter";
import { quoted } from "@/server/core/quoted-name";

/** Writes the letter with the code of a claim. */
export function claimCodeLetter({
  organisation,
  code,
  until,
}: {
  organisation: string | null;
  code: string;
  until: string;
}): Letter {
  const issuer = quoted(organisation) ?? "an organisation";
  const about = `Enter this code on the page of ${issuer} that you opened. It works until ${until}.`;
  const close = "If you did not ask for it, do nothing, and give the code to nobody.";
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  return {
    subject: `${spaced} is your code`,
    text: [about, spaced, close].join("\n\n") + "\n",
    html: letterPage(
      `<p>${escapeHtml(about)}</p>`,
      `<p style="font-size:28px;font-weight:600;letter-spacing:2px">${spaced}</p>`,
      `<p style="color:#666">${escapeHtml(close)}</p>`,
    ),
  };
}

/** Writes the letter with the link to the holder's home. */
export const homeLetter = ({ link, until }: { link: string; until: string }): Letter =>
  withLink({
    subject: "Your credentials on Bonafide",
    about: `Open this link to see the credentials that were issued to this address. It works once, until ${until}.`,
    action: "See my credentials",
    close: "If you did not ask for it, do nothing, and give the link to nobody.",
    link,
  });

/** Writes the letter that adds an address to a holder's home. */
export const newAddressLetter = ({ link, until }: { link: string; until: string }): Letter =>
  withLink({
    subject: "Add this address to your credentials on Bonafide",
    about: `Somebody who sees their credentials on Bonafide asked to add this address, so that it leads to them too. If it was you, open the link. It works once, until ${until}.`,
    action: "Add this address",
    close: "If it was not you, do nothing: nothing is added.",
    link,
  });

function withLink(words: { subject: string; about: string; action: string; close: string; link: string }): Letter {
  const { subject, about, action, close, link } = words;
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
