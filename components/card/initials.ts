/**
 * Returns the initials of a name, shown instead of a photo: those of its first and its last word. "" if there is no
 * letter.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).map(firstLetter).filter(Boolean);
  return [...new Set([0, words.length - 1])].map((at) => words[at] ?? "").join("");
}

/** A letter with its marks, which can be several code points. */
const firstLetter = (word: string) => /\p{L}\p{M}*/u.exec(word)?.[0].toUpperCase() ?? "";
