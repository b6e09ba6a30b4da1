import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import type { Caller } from "@/server/core/turns";
import { drawnFile } from "@/server/drawing/drawn-file";
import type { PreviewText } from "@/server/drawing/preview";
import type { Design } from "@/server/templates/design";
import { paletteOf } from "@/server/templates/palette";
import { examine, type Examined } from "./verify-code";

const statusWords: Record<string, string> = {
  revoked: "Revoked",
  suspended: "Suspended",
  expired: "Expired",
  not_yet_valid: "Not yet valid",
  superseded: "Replaced",
};

/**
 * Draws what other sites show beside a link to a public page (Open Graph): what the page shows, with the decision of
 * this moment. Nobody may keep it without asking again. Tells nobody that it was asked for.
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

async function previewText({ evidence, verification }: Examined): Promise<PreviewText> {
  const { org_id, template_version_id, kind, title, issuer_name, locale } = evidence;
  const [row] = await sql<{ colors: Design["colors"] | null; logo: string | null }>(
    `SELECT design -> 'colors' AS colors, design ->> 'logo' AS logo FROM template_versions WHERE org_id = $1 AND id = $2`,
    [org_id, template_version_id],
  );
  const isValid = verification.result === "valid";
  return {
    title,
    issuer: issuer_name,
    holder: verification.credential.subject.displayName,
    language: locale,
    colors: paletteOf(kind, row?.colors ?? undefined),
    logo: row?.logo ?? null,
    status: isValid ? "Valid" : (statusWords[verification.reason ?? ""] ?? "Not valid"),
    isValid,
  };
}
