import sharp from "sharp";
import { resultOf, resultWords } from "@/server/achievements/result-of";
import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import type { Ctx } from "@/server/core/context";
import { formatDay, formatUntil, type Region } from "@/server/core/dates";
import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import type { Client } from "@/server/core/workers/worker-pool";
import { formatCode } from "@/server/credentials/code";
import { effectiveState } from "@/server/credentials/states";
import { scanText } from "@/server/credentials/scan-text";
import { verifyUrl } from "@/server/credentials/view";
import type { CertificateText } from "@/server/drawing/certificate";
import { drawnFile } from "@/server/drawing/drawn-file";
import { fieldText } from "@/server/templates/field-text";
import { inLocale, shownFields } from "@/server/templates/fields";
import { paletteOf } from "@/server/templates/palette";
import { awardedDay } from "./award";
import type { BadgeFacts } from "./facts";
import { signedBadge } from "./signed-badge";

/** The text across a certificate that is not valid at present. */
const stamps: Partial<Record<BadgeFacts["state"], BuiltInWord>> = {
  pending: "Not yet valid",
  suspended: "Suspended",
  expired: "Expired",
  revoked: "Revoked",
};

/**
 * Returns the certificate of a credential as PDF, with the signed document attached. The holder's name is the one
 * stored in the credential. The bytes are the same each time, until the content changes.
 *
 * @throws DomainError as signedBadge; `unavailable` if it cannot be drawn now
 */
export async function certificate(ctx: Pick<Ctx, "orgId" | "now"> & Client, facts: BadgeFacts): Promise<Download> {
  const { document } = await signedBadge(ctx, facts);
  const stamp = stamps[effectiveState(facts, ctx.now)];
  const text: CertificateText = {
    title: facts.title,
    issuer: facts.issuer_name,
    holder: facts.display_name,
    language: facts.locale,
    colors: paletteOf("academic", facts.colors ?? undefined),
    logo: await logoOf(facts.logo),
    ...(await lookOf(ctx.orgId, facts.id)),
    facts: printed(facts),
    stamp: stamp ? builtInWord(stamp, facts.locale) : null,
    verifyUrl: verifyUrl(facts.code),
    scanText: await scanText({ ...facts, ...publicly(facts), org_id: ctx.orgId }, ctx.now),
    document,
    issuedAt: facts.issued_at ?? facts.valid_from,
  };
  const file = drawnFile(ctx, "certificate", text);
  return { ...file, type: "application/pdf", fileName: `certificate-${formatCode(facts.code)}.pdf` };
}

/** The QR code reveals no more of the holder than the public page. */
const publicly = ({ slug, public_name, display_name }: BadgeFacts) => ({
  issuer_slug: slug,
  display_name: public_name ? display_name : "",
});

/**
 * The parts of the design that only certificates need, loaded separately because a picture can have half a megabyte.
 */
async function lookOf(orgId: Id<"org">, id: Id<"crd">): Promise<Pick<CertificateText, "background" | "font">> {
  const [row] = await sql<Pick<CertificateText, "background" | "font">>(
    `SELECT v.design #>> '{front,background}' AS background, coalesce(v.design ->> 'font', 'serif') AS font
     FROM credentials c JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
     WHERE c.org_id = $1 AND c.id = $2`,
    [orgId, id],
  );
  return row!;
}

/** How many facts fit on a certificate. */
const mostFacts = 9;

/** Says how many facts a certificate has no room for, so that nobody mistakes the printed facts for all of them. */
function fitting(facts: CertificateText["facts"], locale: string): CertificateText["facts"] {
  if (facts.length <= mostFacts) return facts;
  const more = facts.length - (mostFacts - 1);
  return [
    ...facts.slice(0, mostFacts - 1),
    {
      label: builtInWord("Not printed here", locale),
      value: builtInWord("{n} more; see the address below", locale, { n: more }),
    },
  ];
}

/** Dates, credits, results and the public fields of the template, as a certificate lists them. */
function printed(facts: BadgeFacts) {
  const { expires_at, time_zone, locale, code, data, achievement } = facts;
  const region = { timeZone: time_zone, locale };
  const { creditsEarned } = data;
  // The design's own label for a value, as on the card and the public page.
  const labelOf = (binding: string, otherwise: string) => {
    const label = facts.public_fields?.find((field) => field.binding === binding)?.label;
    return label ? inLocale(label, locale) || otherwise : otherwise;
  };
  const say = (word: BuiltInWord) => builtInWord(word, locale);
  const results = (achievement?.content.resultDescriptions ?? []).flatMap((result) => {
    const value = resultOf(data, result.key);
    return value === null
      ? []
      : [{ label: labelOf(`credential.data.results.${result.key}`, result.name), value: resultWords(result, value) }];
  });
  const all = [
    { label: labelOf("credential.issuedAt", say("Awarded on")), value: formatDay(awardedDay(facts), region) },
    ...(expires_at
      ? [{ label: labelOf("credential.expiresAt", say("Valid through")), value: formatUntil(expires_at, region) }]
      : []),
    { label: labelOf("credential.code", say("Certificate number")), value: formatCode(code) },
    ...(typeof creditsEarned === "number"
      ? [{ label: labelOf("credential.data.creditsEarned", say("Credits")), value: String(creditsEarned) }]
      : []),
    ...results,
    ...designed(facts, region),
  ];
  return fitting(all, locale);
}

const printedAlready = /^credential\.data\.(?:creditsEarned$|results\.)/;

/**
 * The public fields of the template that read the stored holder or data, and its fixed texts. The certificate prints
 * name, dates and code itself.
 */
function designed({ public_fields, data, display_name }: BadgeFacts, region: Region) {
  const own = (public_fields ?? []).filter(
    ({ binding }) =>
      binding === undefined ||
      binding.startsWith("attributes.") ||
      (binding.startsWith("credential.data.") && !printedAlready.test(binding)),
  );
  const source = {
    subject: { displayName: display_name },
    attributes: (data["attributes"] ?? {}) as Record<string, unknown>,
    credential: { data },
  };
  return shownFields({ front: { fields: own } }, source, "all", region)
    .map((field) => ({ label: field.label, value: fieldText(field, region) }))
    .filter(({ value }) => value !== "");
}

/** Returns the logo of a design, a data URL, in a form that a PDF can hold. */
async function logoOf(url: string | null): Promise<Uint8Array | null> {
  if (!url) return null;
  const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  // A logo that cannot be read is omitted, as on the card.
  return sharp(bytes, { limitInputPixels: 16_000_000 })
    .resize(720, 176, { fit: "inside", withoutEnlargement: true })
    .png()
    .toBuffer()
    .catch(() => null);
}
