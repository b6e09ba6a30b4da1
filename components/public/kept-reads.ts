import { nameOf, wordOf } from "./read-words";
import type { Read } from "./read";

/** Stored in sessionStorage, so that the reads belong to this tab and end with it. */
const key = "bonafide.reads";

interface Kept extends Pick<Read, "id" | "source" | "tries"> {
  at: string;
  /** Set if the service still has to be asked. */
  code?: string;
  statement?: string | undefined;
  word: string;
  name: string;
}

/**
 * The reads from before this page was loaded. A code without an answer is still sent to the service; a file is not
 * stored.
 */
export function keptReads(): Read[] {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(key) ?? "[]") as Kept[];
    return kept.map(({ id, at, source, code, statement, tries, word, name }) => ({
      id,
      at: new Date(at),
      source,
      question: code === undefined ? null : { code, ...(statement && { statement }) },
      tries,
      outcome: code === undefined ? { kind: "earlier", word, name } : { kind: "unanswered", why: "no_connection" },
    }));
  } catch {
    // Storage may be unavailable, or contain the format of an older version.
    return [];
  }
}

export function keepReads(reads: Read[]): void {
  if (reads.length === 0) return;
  const kept = reads.map((read): Kept => {
    const { id, at, source, question, tries, outcome } = read;
    const isOpen = ["unanswered", "checking", "offline"].includes(outcome.kind);
    return {
      id,
      at: at.toISOString(),
      source,
      ...(isOpen && question && "code" in question && question),
      tries,
      word: wordOf(read),
      name: nameOf(read),
    };
  });
  try {
    window.sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The list then ends with the page.
  }
}
