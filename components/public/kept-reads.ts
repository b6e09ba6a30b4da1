import { nameOf, wordOf } from "./read-words";
import type { Read } from "./read";

/** In sessionStorage: of this tab alone, and gone with it. */
const key = "bonafide.reads";

interface Kept extends Pick<Read, "id" | "source" | "tries"> {
  at: string;
  /** Set if it is still to be asked. */
  code?: string;
  statement?: string | undefined;
  word: string;
  name: string;
}

/** The reads before this page was loaded. A code without an answer is still to be asked; a file is not kept. */
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
    // Storage may be refused, or hold what an older version wrote.
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
