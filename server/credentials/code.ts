const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Makes a public code in its stored form: 16 characters of Crockford base32 from the CSPRNG, 80 bits (contract section
 * 1).
 */
export function newCode(): string {
  let code = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) code += alphabet[byte & 31];
  return code;
}

/** Formats a stored code for people: XXXX-XXXX-XXXX-XXXX. */
export function formatCode(stored: string): string {
  return `${stored.slice(0, 4)}-${stored.slice(4, 8)}-${stored.slice(8, 12)}-${stored.slice(12)}`;
}

/**
 * Reads a code that somebody typed and returns its stored form. Ignores case, hyphens, spaces, invisible marks (such as
 * those for the direction of text), quotes around it, a full stop after it, "Code:" before it, and the width of East
 * Asian letters. Reads O as 0, I and L as 1.
 * @returns null if the text cannot be a code.
 */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null;
  const bare = typed
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^["'“”„‘’‚«»‹›(<[]*(?:code\s*(?:no\.?)?\s*[:=#]\s*)?/iu, "")
    .replace(/[\s.,;:!?"'“”„‘’‚«»‹›)>\]]+$/u, "")
    .replace(/^["'“”„‘’‚«»‹›]+/u, "");
  const code = bare
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) ? code : null;
}
