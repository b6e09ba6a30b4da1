import { hash } from "node:crypto";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { draw } from "@/server/drawing/draw";
import { BoundedCache } from "@/server/standards/bounded-cache";
import { paletteOf } from "@/server/templates/palette";
import type { BadgeFacts } from "./facts";

/** The picture of a badge, before a credential is baked into it. */
export interface BadgePicture {
  svg: string;
  png: Uint8Array;
}

// All credentials of a template have the same picture, of some 150 KB in both forms.
const { pictures } = processState("badge pictures", () => ({
  pictures: new BoundedCache<BadgePicture>(100, 60 * 60 * 1000),
}));

/**
 * Returns the picture of a credential's badge: drawn with the name of the achievement and of the issuer, in the colours
 * of the template.
 */
export function badgePicture(caller: Caller, facts: BadgeFacts, now: Date): Promise<BadgePicture> {
  const text = {
    title: facts.achievement?.name ?? facts.template_name,
    issuer: facts.issuer_name,
    language: facts.locale,
    colors: paletteOf("academic", facts.colors ?? undefined),
  };
  return pictures.get(hash("sha256", JSON.stringify(text), "base64url"), now, () => draw(caller, "badge", text));
}
