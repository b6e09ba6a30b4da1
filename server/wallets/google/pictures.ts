import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { publicId, readId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import type { Caller } from "@/server/core/turns";
import { drawnFile } from "@/server/drawing/drawn-file";
import type { GooglePictureName } from "@/server/drawing/google-picture";
import type { Design } from "@/server/templates/design";
import { paletteOf } from "@/server/templates/palette";

export const googlePictureNames = ["logo", "hero"] as const satisfies GooglePictureName[];

/**
 * The URL from which Google loads a picture of a pass; null without https, because Google loads from https only. All passes
 * of a design share it, and it names no credential. A new version of the design has another URL, because Google keeps
 * what it loaded.
 */
export function googlePictureUrl(versionId: Id<"tpv">, name: GooglePictureName): string | null {
  const { PUBLIC_URL } = env();
  return PUBLIC_URL.startsWith("https://")
    ? `${PUBLIC_URL}/public/designs/${publicId("tpv", versionId)}/google/${name}`
    : null;
}

/**
 * Draws a picture of a published design for Google: its logo, or the background of its front. Both are on each card of the
 * design; photos of holders are not.
 *
 * @throws DomainError not_found; unavailable if it cannot be drawn now
 */
export async function googlePicture(
  id: string,
  name: string,
  caller: Caller,
): Promise<{ orgId: Id<"org">; picture: Download }> {
  const known = googlePictureNames.find((each) => each === name);
  const [row] = await lookUp<PictureRow>(
    sql,
    `SELECT v.org_id, t.kind, v.design -> 'colors' AS colors, v.design ->> 'logo' AS logo, v.design #>> '{front,background}' AS hero
     FROM template_versions v JOIN templates t ON t.org_id = v.org_id AND t.id = v.template_id
     WHERE v.id = $1 AND v.published_at IS NOT NULL`,
    [readId("tpv", id)],
  );
  const url = known && row?.[known];
  if (!row || !url)
    throw new DomainError("not_found", "There is no published design with this id that has such a picture.");
  const { background } = paletteOf(row.kind, row.colors ?? undefined);
  return {
    orgId: row.org_id,
    picture: {
      type: "image/png",
      ...drawnFile({ caller, isAnonymous: true }, "googlePicture", { name: known, url, background }),
      headers: { "cache-control": "public, max-age=86400" },
    },
  };
}

interface PictureRow {
  org_id: Id<"org">;
  kind: Parameters<typeof paletteOf>[0];
  colors: Design["colors"] | null;
  logo: string | null;
  hero: string | null;
}
