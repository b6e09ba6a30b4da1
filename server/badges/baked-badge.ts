import type { Ctx } from "@/server/core/context";
import type { Download } from "@/server/core/download";
import type { Client } from "@/server/core/workers/worker-pool";
import { formatCode } from "@/server/credentials/code";
import { bakePng } from "@/server/standards/baking/png";
import { bakeSvg } from "@/server/standards/baking/svg";
import { badgePicture } from "./badge-picture";
import type { BadgeFacts } from "./facts";
import { wholeFile } from "./file";
import { signedBadge } from "./signed-badge";

export const badgeTypes = { png: "image/png", svg: "image/svg+xml" } as const;
export type BadgeFormat = keyof typeof badgeTypes;

/**
 * Returns the picture of a credential's badge with the signed document baked in (Open Badges 3.0, section 5.3): an iTXt
 * chunk of a PNG, an element of an SVG. The same bytes each time, until the document or the picture changes.
 *
 * @throws DomainError as signedBadge; `unavailable` if the picture cannot be drawn now
 */
export async function bakedBadge(
  ctx: Pick<Ctx, "orgId" | "now"> & Client,
  facts: BadgeFacts,
  format: BadgeFormat,
): Promise<Download> {
  const { document } = await signedBadge(ctx, facts);
  const picture = await badgePicture(ctx, facts);
  const bytes = format === "png" ? bakePng(picture.png, document) : Buffer.from(bakeSvg(picture.svg, document));
  return wholeFile(bytes, badgeTypes[format], `badge-${formatCode(facts.code)}.${format}`);
}
