/**
 * The most characters of one segment, and of a whole pointer. Longer ones are cut and end with "…": then the pointer is
 * only for people to read.
 */
const maxSegment = 200;
const maxPointer = 1000;

/**
 * Writes a JSON pointer (RFC 6901) to a place in a value, of limited length whatever the keys are. A pointer can be
 * stored with a job, so NUL and halves of surrogate pairs in keys, which PostgreSQL does not store, become U+FFFD.
 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const part of path) {
    pointer += `/${storable(cut(String(part), maxSegment))
      .replaceAll("~", "~0")
      .replaceAll("/", "~1")}`;
    if (pointer.length > maxPointer) return cut(pointer, maxPointer);
  }
  return pointer;
}

const storable = (key: string) => key.replaceAll("\0", "\uFFFD").toWellFormed();

/** Cuts a text, but never between the two halves of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length > length
    ? `${text
        .slice(0, length)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`
    : text;
}
