const maxWords = 10;

/** The words of a search, at most ten. The longest is first, because it finds the fewest rows. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ""))]
    .slice(0, maxWords)
    .sort((a, b) => [...b].length - [...a].length);
}

/** The LIKE pattern that finds a text anywhere in a value. */
export function like(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
