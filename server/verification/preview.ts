import { hash } from "node:crypto";
import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { draw } from "@/server/drawing/draw";
import type { PreviewText } from "@/server/drawing/preview";
import { BoundedCache } from "@/server/standards/bounded-cache";
import type { Design } from "@/server/templates/design";
import { paletteOf } from "@/server/templates/palette";
import { examine, type Examined } from "./verify-code";

// Networks ask for a preview several times when a link is posted. Each is some 60 KB.
const { previews } = processState("previews", () => ({
  previews: new BoundedCache<Uint8Array>(50, 60_000),
}));

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
  const key = hash("sha256", JSON.stringify(text), "base64url");
  const bytes = await previews.get(key, now, () => draw(caller, "preview", text));
  return {
    orgId: examined.evidence.org_id,
    preview: {
      type: "image/png",
      size: bytes.byteLength,
      etag: `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`,
      headers: { "cache-control": "no-cache" },
      chunks: once(bytes),
    },
  };
}

async function previewText({ evidence, verification }: Examined): Promise<PreviewText> {
  const { org_id, template_version_id, kind, title, issuer_name, locale } = evidence;
  const [row] = await sql<{ colors: Design["colors"] | null }>(
    `SELECT design -> 'colors' AS colors FROM template_versions WHERE org_id = $1 AND id = $2`,
    [org_id, template_version_id],
  );
  const isValid = verification.result === "valid";
  return {
    title,
    issuer: issuer_name,
    holder: verification.credential.subject.displayName,
    language: locale,
    colors: paletteOf(kind, row?.colors ?? undefined),
    status: isValid ? "Valid" : (statusWords[verification.reason ?? ""] ?? "Not valid"),
    isValid,
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
