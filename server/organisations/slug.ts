import { newPublicId } from "@/server/core/ids";

/**
 * Derives a slug from a name: "Universität Nordwind" → "universitat-nordwind". A name without Latin letters or digits
 * gets a generated one.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, "");
  return slug || newPublicId("org").replace("_", "-");
}
