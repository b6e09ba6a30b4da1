/** The most characters of a name in a mail. */
const maxName = 60;

/** Text that mail programs turn into a link: an address with a scheme, or one of a mailbox. */
const linkLike = /:\/\/|\bwww\.|@/iu;

/** Words with a dot within, such as evil.example or B.Sc. */
const dotted = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** Abbreviations of degrees and titles that look like host names. Each part begins with a capital and is short. */
const abbreviation = /^(?:\p{Lu}\p{L}?\.)+\p{Lu}\p{Ll}{0,4}$/u;

/** A name after an abbreviated word, written without a space, such as St.John. No host name is written like this. */
const titled = /^(?:St|Ste|Mt|Ft|Dr|Prof|Mr|Mrs|Ms|Jr|Sr)\.\p{Lu}\p{Ll}+$/u;

/**
 * Top-level domains that are short enough to end an abbreviation, and that are used for phishing or by many services.
 */
const shortEndings =
  /\.(?:com|net|org|info|biz|edu|gov|xyz|top|app|dev|site|shop|live|link|click|page|online|io|co|me|ly|gg|to|tv|cc|ru|cn|de|uk|us|eu|ai|sh|at|be|ch|fr|it|nl|pl|pw|su|tk|ml|ga|cf|gq|in|id|is|im|la|ws|st|so|cz|es|dk|se|no|fi|jp|kr|br|mx|ca|au|nz)$/i;

/**
 * The full stop of Chinese and Japanese, which host names may contain (IDNA, UTS 46). NFKC maps its variants to it or
 * to a dot.
 */
const ideographicStop = /\u3002/g;

const isHost = (word: string): boolean => {
  if (!/\.\p{L}{2,}(?:-|\p{N})*$/u.test(word) && !/\.xn--/iu.test(word)) return false;
  // Nobody can own b.com or m.com: names of one letter are reserved there.
  if (/^[BM]\.Com$/.test(word)) return false;
  return !(abbreviation.test(word) || titled.test(word)) || shortEndings.test(word);
};

/**
 * Formats a name that a user chose for people who may not know it: quoted and shortened. Null for a name that looks
 * like a link, so that nobody can send their own texts and links through our mail server. The page behind our link
 * shows the full name.
 */
export function quoted(name: string | null): string | null {
  const plain = name?.normalize("NFKC").replaceAll(ideographicStop, ".");
  if (!name || !plain || linkLike.test(plain) || plain.match(dotted)?.some(isHost)) return null;
  const line = name.replaceAll(/[\s“”"]+/gu, " ").trim();
  return `“${[...line].slice(0, maxName).join("").trim()}”`;
}
