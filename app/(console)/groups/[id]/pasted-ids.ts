/**
 * Your ids, out of what was pasted: one a line, or parted by commas or semicolons. Of columns that were copied from a
 * spreadsheet the first one counts. Each id stands once.
 */
export function pastedIds(text: string): string[] {
  const ids = text
    .split(/\r?\n/)
    .flatMap((line) => line.split("\t", 1)[0]!.split(/[,;]/))
    .map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== "");
}
