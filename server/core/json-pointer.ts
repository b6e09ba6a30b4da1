/**
 * Longest text of one segment, and of a whole pointer. What is longer is cut and ends with "…": it is for people to
 * read, not to repeat.
 */
const maxSegment = 200;
const maxPointer = 1000;

/** JSON pointer (RFC 6901) to a place in a value, of bounded length whatever the keys are. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const part of path) {
    pointer += `/${cut(String(part), maxSegment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (pointer.length > maxPointer) return cut(pointer, maxPointer);
  }
  return pointer;
}

/** Never between the two halves of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length > length
    ? `${text
        .slice(0, length)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`
    : text;
}
