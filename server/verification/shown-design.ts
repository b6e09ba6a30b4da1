import { hash } from "node:crypto";
import { sql } from "@/server/core/db";
import type { Design } from "@/server/templates/design";
import type { CredentialEvidence } from "./evidence";

/** The pictures of a design that the public page loads as files. */
export const pictureNames = ["logo", "front", "back"] as const;
export type PictureName = (typeof pictureNames)[number];

export interface DesignPicture {
  /** The media type. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A digest of the bytes. */
  version: string;
}

export interface ShownDesign {
  /** Without its pictures. */
  design: Design;
  pictures: Partial<Record<PictureName, DesignPicture>>;
}

/** Designs of the template versions that were shown last. A version that credentials have is published, and never changes. */
const designs = new Map<string, ShownDesign>();
/** A design may contain pictures of half a megabyte. */
const keptDesigns = 100;

/** Loads the design of the template version that a credential shows. */
export async function shownDesign({ org_id, template_version_id }: CredentialEvidence): Promise<ShownDesign> {
  const key = `${org_id} ${template_version_id}`;
  const known = designs.get(key);
  if (known) return known;
  const [row] = await sql<{ design: Design }>(`SELECT design FROM template_versions WHERE org_id = $1 AND id = $2`, [
    org_id,
    template_version_id,
  ]);
  if (designs.size >= keptDesigns) designs.delete(designs.keys().next().value!);
  const shown = apart(row!.design);
  designs.set(key, shown);
  return shown;
}

/** Takes the pictures, which are data URLs, out of a design. */
function apart({ logo, front, back, ...rest }: Design): ShownDesign {
  const urls = { logo, front: front?.background, back: back?.background };
  const pictures = Object.fromEntries(
    Object.entries(urls).flatMap(([name, url]) => (url === undefined ? [] : [[name, pictureOf(url)]])),
  );
  const bare = (side: Design["front"]) => side && { ...side, background: undefined };
  return { design: { ...rest, front: bare(front), back: bare(back) }, pictures };
}

function pictureOf(url: string): DesignPicture {
  const [, type, base64] = /^data:([^;]+);base64,(.*)$/s.exec(url)!;
  const bytes = new Uint8Array(Buffer.from(base64!, "base64"));
  return { type: type!, bytes, version: hash("sha256", bytes, "base64url").slice(0, 16) };
}
