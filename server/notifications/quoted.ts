/** The most characters of a name in a letter. */
const maxName = 60;

/** Text that mail programs turn into a link: an address with a scheme, or a domain. */
const linkLike = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}|@/u;

/**
 * Writes a name that a user chose for people who may not know it: quoted and shortened. Null for one that looks like a
 * link, so that nobody can send their own texts and links through our mail server. The page behind our link shows the
 * full name.
 */
export function quoted(name: string | null): string | null {
  if (!name || linkLike.test(name.normalize("NFKC"))) return null;
  const line = name.replaceAll(/[\s“”"]+/gu, " ").trim();
  return `“${[...line].slice(0, maxName).join("").trim()}”`;
}
