import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import type { Caller } from "@/server/core/turns";
import { drawnFile } from "@/server/drawing/drawn-file";
import type { PreviewText } from "@/server/drawing/preview";
import type { Design } from "@/server/templates/design";
import { paletteOf } from "@/server/templates/palette";
import type { Reason } from "./reasons";
import { examine, type Examined } from "./verify-code";

/** The states that end a credential. Other states pass, but the copies of a picture that chats keep do not. */
const endWords: Partial<Record<Reason, BuiltInWord>> = {
  revoked: "Revoked",
  expired: "Expired",
  superseded: "Replaced",
};

/**
 * Draws what other sites show beside a link to a public page (Open Graph): what the page shows, and how the credential
 * ended if it has. Nobody may keep it without asking again, but chats do. Tells nobody that it was asked for.
 *
 * @throws DomainError not_found; `unavailable` if it cannot be drawn now
 */
export async function publicPreview(
  code: string,
  { caller, now }: { caller: Caller; now: Date },
): Promise<{ orgId: Id<"org">; preview: Download }> {
  const examined = await examine(code, now);
  const text = await previewText(examined);
  return {
    orgId: examined.evidence.org_id,
    preview: {
      type: "image/png",
      ...drawnFile({ caller, isAnonymous: true }, "preview", text),
      headers: { "cache-control": "no-cache" },
    },
  };
}

interface CardStyle {
  colors: Design["colors"] | null;
  logo: string | null;
  background: string | null;
  font: Design["font"] | null;
}

async function previewText({ evidence, verification }: Examined): Promise<PreviewText> {
  const { org_id, template_version_id, kind, title, issuer_name, locale } = evidence;
  const [row] = await sql<CardStyle>(
    `SELECT design -> 'colors' AS colors, design ->> 'logo' AS logo, design #>> '{front,background}' AS background, design ->> 'font' AS font FROM template_versions WHERE org_id = $1 AND id = $2`,
    [org_id, template_version_id],
  );
  const end = verification.reason && endWords[verification.reason];
  return {
    title,
    issuer: verification.credential.issuer.nameVerified
      ? issuer_name
      : builtInWord("{name} (name not confirmed)", locale, { name: issuer_name }),
    holder: verification.credential.subject.displayName,
    language: locale,
    colors: paletteOf(kind, row?.colors ?? undefined),
    logo: row?.logo ?? null,
    background: row?.background ?? null,
    // Cards without a choice are set in sans.
    font: row?.font === "serif" ? "serif" : "inter",
    end: end ? builtInWord(end, locale) : null,
  };
}
