/**
 * Extracts the external ids from pasted text: one per line, or separated by commas or semicolons. If columns of a
 * spreadsheet were copied, takes the first column. Each id is returned once.
 */
export function pastedIds(text: string): string[] {
  const ids = text
    .split(/\r?\n/)
    .flatMap((line) => line.split("\t", 1)[0]!.split(/[,;]/))
    .map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== "");
}
