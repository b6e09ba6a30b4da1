import type { Language } from "@/server/core/languages";

/** The words of a language by the English words in the components. `{name}` is a placeholder. */
export type Words = Readonly<Record<string, string>>;

/** The sets of words that scripts need: those of a credential's page, and those of /verify. */
export type LiveWords = "credential" | "verify";

interface Spoken {
  language: Language;
  words: Words;
  /** Patterns of sentences: see sayOf. */
  sentences: Words;
  /** The words that a page sends to its scripts, as JSON. */
  live?: Record<LiveWords, string>;
}

const english: Spoken = { language: "en", words: {}, sentences: {} };

/**
 * The present language of the pages. On the server it is set before each page, which is written without interruption
 * (bundle/server.tsx).
 */
let spoken = english;

/** Sets the language of everything that is written from now on. */
export function speak(next: Spoken = english): void {
  if (spoken !== next) patterns = null;
  spoken = next;
}

/** The words that a page sends to its scripts; undefined in English. */
export const liveWords = (part: LiveWords): string | undefined => spoken.live?.[part];

export const language = (): Language => spoken.language;

/** Translates an English text into the language of the page. */
export function say(english: string, values?: Record<string, string | number>): string {
  const text = spoken.words[english] ?? english;
  return values ? filled(text, values) : text;
}

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => (name in values ? String(values[name]) : all));

let patterns: { pattern: RegExp; text: string }[] | null = null;

/**
 * Translates what the service says, such as why a credential is not valid: one sentence or several. What has no matching
 * pattern stays unchanged. A value called `why` is itself such a sentence, and `what` a thing in it. A value called
 * `reason` is the issuer's own text, except for the reasons that the service gives. A value called `place` has no spaces.
 */
export function sayOf(sentence: string): string {
  if (spoken.language === "en") return sentence;
  const parts = sentence.split(". ").map((part, at, { length }) => (at < length - 1 ? `${part}.` : part));
  const told = parts.length > 1 ? parts.map(translated) : [undefined];
  return exactly(sentence) ?? (told.includes(undefined) ? translated(sentence) : told.join(" ")) ?? sentence;
}

const exactly = (sentence: string): string | undefined => spoken.words[sentence] ?? spoken.sentences[sentence];

function translated(sentence: string): string | undefined {
  const exact = exactly(sentence);
  if (exact !== undefined) return exact;
  patterns ??= Object.entries(spoken.sentences).map(([english, text]) => ({ pattern: patternOf(english), text }));
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(sentence);
    if (found) {
      const { why, what, reason, ...values } = found.groups ?? {};
      return filled(text, {
        ...values,
        ...(why !== undefined && { why: sayOf(why) }),
        ...(what !== undefined && { what: exactly(what) ?? what }),
        ...(reason !== undefined && { reason: spoken.sentences[reason] ?? reason }),
      });
    }
  }
  return undefined;
}

function patternOf(english: string): RegExp {
  const escaped = english.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(
    `^${escaped.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${name === "place" ? "\\S" : "."}+?)`)}$`,
    "s",
  );
}

/** The id of the element that holds the words of a page's scripts, as JSON. English pages have none. */
export const wordsId = "words";

/** In the browser: reads the words that came with the page. */
export function takeWords(): void {
  const place = document.getElementById(wordsId);
  if (!place) return;
  const words = JSON.parse(place.textContent) as Pick<Spoken, "words" | "sentences">;
  speak({ language: document.documentElement.lang as Language, ...words });
}
