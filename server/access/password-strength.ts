import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { invalidInput } from "@/server/core/input";

/**
 * The number of guesses that a password must withstand. The guesser knows the 49,000 most used and breached passwords,
 * how people vary them, keyboards, sequences and dates. Sign-in admits some 100 guesses a day.
 */
const minGuesses = 1e8;

/**
 * Only this many characters are estimated: the cost grows faster than the length, and a strong password is hard to
 * guess by then.
 */
const estimatedLength = 64;

// Read at first use: 20 MB of dictionaries, 0.2 s.
let estimator: ZxcvbnFactory | undefined;

/**
 * Refuses a new password that is easy to guess. Works offline.
 *
 * @throws DomainError invalid_request at /password
 */
export function refuseWeak(password: string): void {
  estimator ??= new ZxcvbnFactory({ dictionary: { ...dictionary }, graphs: adjacencyGraphs, l33tMaxSubstitutions: 10 });
  const { guesses, feedback } = estimator.check(password.normalize("NFKC").slice(0, estimatedLength));
  if (guesses >= minGuesses) return;
  const because = reasons[feedback.warning ?? ""] ?? "it is easy to guess";
  const message = `is too easy to guess: ${because}. A sentence of four or more words is easy to remember and hard to guess`;
  throw invalidInput([{ pointer: "/password", code: "weak", message }]);
}

const repeats = "it repeats itself";
const keys = "it follows the keys of a keyboard";
const reasons: Record<string, string> = {
  simpleRepeat: repeats,
  extendedRepeat: repeats,
  straightRow: keys,
  keyPattern: keys,
  sequences: "it follows the alphabet or counts",
  recentYears: "it is little more than a year",
  dates: "it is little more than a date",
  topTen: "many people use it",
  topHundred: "many people use it",
  common: "many people use it, and it is on the lists of breached passwords",
  similarToCommon: "it is close to one that many people use",
  pwned: "it is on the lists of breached passwords",
};

/** Minimum length of a part of an e-mail address to look for; shorter parts occur in too many words. */
const minPart = 4;

/** Minimum number of letters and digits of a word in an organisation's name to look for. */
const minWord = 5;

/**
 * Refuses a new password that contains the name in the e-mail address or an organisation's name, because both are easy
 * to find out.
 *
 * @throws DomainError invalid_request at /password
 */
export function refusePersonal(
  password: string,
  { email, organisations }: { email: string; organisations: string[] },
): void {
  const typed = squashed(password);
  const wordsOf = (name: string) =>
    name.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => squashed(word).length >= minWord);
  const holds = (part: string) => squashed(part).length >= minPart && typed.includes(squashed(part));
  const name = email.slice(0, email.lastIndexOf("@"));
  const what = holds(name)
    ? "the name of your e-mail address"
    : organisations.some((organisation) => [organisation, ...wordsOf(organisation)].some(holds))
      ? "the name of your organisation or a word of it"
      : null;
  if (what)
    throw invalidInput([
      { pointer: "/password", code: "personal", message: `must not contain ${what}, since others know it` },
    ]);
}

/** Reduces a text to its letters and digits, without case and accents. */
function squashed(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
