import { hash } from "node:crypto";
import { processState } from "@/server/core/process-state";
import type { Client } from "@/server/core/workers/worker-pool";
import { openAchievementImage } from "@/server/achievements/get-image";
import { keptImageSide } from "@/server/achievements/image-limits";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { draw } from "@/server/drawing/draw";
import { BoundedCache } from "@/server/standards/bounded-cache";
import { paletteOf } from "@/server/templates/palette";
import type { BadgeFacts } from "./facts";

/** The picture of a badge, before a credential is baked into it. */
export interface BadgePicture {
  svg: string;
  png: Uint8Array;
}

// Cached, because all credentials of a template have the same picture, of some 150 KB in both forms.
const { pictures } = processState("badge pictures", () => ({
  pictures: new BoundedCache<BadgePicture>(100, 60 * 60 * 1000),
}));

/**
 * Returns the picture of a credential's badge: that of the achievement or, without one, a drawing with the name of the
 * achievement and of the issuer, in the colours of the template.
 */
export function badgePicture(
  { orgId, now, caller, isAnonymous = false }: Pick<Ctx, "orgId" | "now"> & Client,
  facts: BadgeFacts,
): Promise<BadgePicture> {
  const image = facts.achievement?.image;
  if (image) return pictures.get(`${orgId} ${image}`, now, () => uploadedPicture(orgId, image));
  const text = {
    title: facts.title,
    issuer: facts.issuer_name,
    language: facts.locale,
    colors: paletteOf("academic", facts.colors ?? undefined),
  };
  return pictures.get(hash("sha256", JSON.stringify(text), "base64url"), now, () =>
    draw({ caller, isAnonymous }, "badge", text),
  );
}

/** The picture of an achievement, alone and within an SVG. */
async function uploadedPicture(orgId: Id<"org">, sha256: string): Promise<BadgePicture> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await openAchievementImage(orgId, sha256)).chunks) pieces.push(Buffer.from(piece));
  const png = Buffer.concat(pieces);
  const side = keptImageSide;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}"><image width="${side}" height="${side}" href="data:image/png;base64,${png.toString("base64")}"/></svg>`;
  return { svg, png };
}
