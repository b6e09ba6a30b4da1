const maxWords = 10;

/** The words of a search, the longest first: it finds the fewest. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ""))]
    .slice(0, maxWords)
    .sort((a, b) => [...b].length - [...a].length);
}

/** A pattern of LIKE for a text anywhere. */
export function like(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
