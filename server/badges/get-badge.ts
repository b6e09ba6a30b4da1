import { z } from "zod";
import type { Download } from "@/server/core/download";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { bakedBadge, type BadgeFormat } from "./baked-badge";
import { loadBadgeFacts } from "./facts";
import { fileHeaders } from "./file";

const badgeQuery = (name: string, format: BadgeFormat) =>
  query({
    name,
    scope: "credentials:read",
    input: z.strictObject({ id: id("crd") }),
    async run(ctx, input): Promise<Download> {
      const facts = await loadBadgeFacts(ctx, input.id);
      const badge = await bakedBadge({ orgId: ctx.orgId, now: ctx.now, caller: ctx.orgId }, facts, format);
      return { ...badge, headers: fileHeaders.private };
    },
  });

/** Returns the badge of an academic credential as PNG. @throws DomainError as bakedBadge */
export const getBadgePng = badgeQuery("credentials.badgePng", "png");

/** Returns the badge of an academic credential as SVG. @throws DomainError as bakedBadge */
export const getBadgeSvg = badgeQuery("credentials.badgeSvg", "svg");
