import { formatMoment, formatUntil } from "@/server/core/dates";
import { env } from "@/server/core/env";
import { escapeHtml } from "@/server/core/html";
import { quoted } from "@/server/core/quoted-name";
import { verifyUrl } from "@/server/credentials/view";
import { localeIn } from "@/server/core/languages";
import { builtInTexts, languageOfTexts } from "@/server/message-texts/default-texts";
import type { TextKind } from "@/server/message-texts/kinds";
import type { MessageText } from "@/server/message-texts/texts";
import { fillParagraphs, filled, plain, type Piece, type Values } from "@/server/message-texts/placeholders";
import { contrastOf, paletteOf, type Palette } from "@/server/templates/palette";
import type { LetterFacts } from "./facts";
import type { MailLogo } from "./mail-logo";

/** A message to a holder, ready to be sent. */
export interface MessageLetter {
  /** The name that mail programs show; null for the service's own sender. */
  senderName: string | null;
  replyTo: string | null;
  subject: string;
  text: string;
  /** Loads no remote content. The logo is attached to the message under the content id `logo`. */
  html: string;
  /** The template's logo; null if there is none. */
  logo: MailLogo | null;
}

/** The URL of the attached logo in the HTML. */
export const logoAddress = "cid:logo";

/** Returns a name as shown in a message, without quotes; null if it looks like a link. */
const shown = (name: string) => quoted(name)?.slice(1, -1) ?? null;

/**
 * Writes a message to a holder, in plain text and in HTML. Uses the text of the template, else of the organisation, else
 * the built-in text. Leaves out names that look like a link, so that nobody can spread links through a name.
 *
 * @param logo the template's logo, as mailLogo converts it
 */
export function messageLetter(
  facts: LetterFacts,
  kind: TextKind,
  now: Date,
  logo: MailLogo | null = null,
): MessageLetter {
  const { of_template: ofTemplate, of_organisation: ofOrganisation } = facts;
  const builtIn = builtInTexts(facts.region.locale);
  const own = kind === "confirm_name" ? undefined : (ofTemplate.texts?.[kind] ?? ofOrganisation.texts?.[kind]);
  const text: MessageText = own ?? builtIn.texts[kind];
  // Custom texts are in any language of the organisation; built-in texts are English if its language is not supported.
  const { timeZone, locale: ownLocale } = facts.region;
  const region = { timeZone, locale: own ? ownLocale : localeIn(languageOfTexts(ownLocale), ownLocale) };
  const values: Values = {
    name: shown(facts.holder),
    title: shown(facts.title),
    issuer: shown(facts.organisation) ?? builtIn.issuer,
    link: facts.link ?? verifyUrl(facts.code),
    validFrom: facts.valid_from > now ? formatMoment(facts.valid_from, region) : null,
    expires: facts.expires_at ? formatUntil(facts.expires_at, region) : null,
    reason: kind === "suspended" || kind === "revoked" ? facts.reason : null,
  };
  const subject = filled(text.subject, values) ?? builtIn.plainSubjects[kind];
  const paragraphs = fillParagraphs(text.body, values);
  const replyTo = ofTemplate.replyTo ?? ofOrganisation.replyTo ?? null;
  const close = [
    builtIn.sentBy.replace("{issuer}", () => values.issuer!),
    ...(replyTo ? [] : [builtIn.noReplies]),
  ].join(" ");
  const palette = paletteOf(facts.kind, facts.colors ?? undefined);
  const button = kind === "confirm_name" ? builtIn.lookAtName : builtIn.openCredential;
  // Before the credential is issued, the holder's home does not show it.
  const home = kind === "confirm_name" ? null : `${env().PUBLIC_URL}/home`;
  return {
    senderName: ofTemplate.senderName ?? ofOrganisation.senderName ?? shown(facts.organisation),
    replyTo,
    subject,
    text: `${[...paragraphs.map((lines) => lines.map((line) => line.map(plain).join("")).join("\n")), ...(home ? [`${builtIn.allInOnePlace}: ${home}`] : []), close].join("\n\n")}\n`,
    html: page({
      language: region.locale,
      palette,
      logo,
      subject,
      body: paragraphs.map((lines) => paragraphHtml(lines, palette, button)).join("\n"),
      home: home === null ? null : { url: home, words: builtIn.allInOnePlace },
      close,
    }),
    logo,
  };
}

/**
 * Returns the colours of the button, and of the strip above a message without a logo. A card that can hardly be told
 * from the message's white (WCAG 2.2, 1.4.11) lends its text colour instead.
 */
const onWhite = ({ background, foreground }: Palette) =>
  contrastOf(background, "#ffffff") < 3 ? { fill: foreground, ink: background } : { fill: background, ink: foreground };

/** A paragraph that holds only the link becomes a button. */
function paragraphHtml(lines: Piece[][], palette: Palette, button: string): string {
  const [only] = lines.length === 1 && lines[0]!.length === 1 ? lines[0]! : [];
  if (only && "placeholder" in only && only.placeholder === "link") {
    const { fill, ink } = onWhite(palette);
    return `<p><a href="${escapeHtml(only.value)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:${fill};color:${ink};text-decoration:none">${button}</a></p>`;
  }
  return `<p>${lines.map((line) => line.map(pieceHtml).join("")).join("<br>")}</p>`;
}

function pieceHtml(piece: Piece): string {
  if ("text" in piece) return withLinks(piece.text);
  return piece.placeholder === "link" ? anchor(piece.value) : `<bdi>${escapeHtml(piece.value)}</bdi>`;
}

const anchor = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;

/** Escapes the author's text and turns web addresses into links, without the punctuation that ends a sentence. */
function withLinks(text: string): string {
  let html = "";
  let at = 0;
  for (const { 0: url, index } of text.matchAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”]/gu)) {
    html += escapeHtml(text.slice(at, index)) + anchor(url);
    at = index + url.length;
  }
  return html + escapeHtml(text.slice(at));
}

interface Page {
  language: string;
  palette: Palette;
  logo: MailLogo | null;
  subject: string;
  body: string;
  /** The link to the holder's home; null to leave it out. */
  home: { url: string; words: string } | null;
  close: string;
}

const page = ({ language, palette, logo, subject, body, home, close }: Page) =>
  `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f2;color:#1b242b;font-family:sans-serif;font-size:15px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;background:#fff;border-radius:12px;overflow:hidden">
${head(palette, logo)}
<div style="padding:24px;word-break:break-word">
<h1 style="margin:0 0 16px;font-size:18px">${escapeHtml(subject)}</h1>
${body}
${home ? `<p style="margin-top:24px"><a href="${escapeHtml(home.url)}" style="color:#1b242b">${home.words}</a></p>` : ""}
<p style="margin-top:24px;padding-top:16px;border-top:1px solid #e2e2de;color:#5b6570;font-size:13px">${escapeHtml(close)}</p>
</div></div></body></html>`;

/** The top of a message in the card's background colour. The logo stands on that colour on the card too. */
const head = (palette: Palette, logo: MailLogo | null) =>
  logo
    ? `<div style="padding:16px 24px;background:${palette.background}"><img src="${logoAddress}" alt="" width="${logo.width}" height="${logo.height}" style="display:block"></div>`
    : `<div style="height:6px;line-height:6px;font-size:0;background:${onWhite(palette).fill}"></div>`;
