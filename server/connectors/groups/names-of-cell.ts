/** The most groups that a row can name, and the most characters of a name (server/groups/input.ts). */
const mostGroups = 100;
const longestName = 200;

/**
 * Splits a cell into the names of groups. White space around and within a name counts as one space; names that differ
 * only in case are one group.
 * @param separator null if the whole cell is one name
 * @returns the names; or a problem, without the name, because errors are kept longer than rows
 */
export function namesOfCell(
  cell: string,
  separator: string | null,
): { names: string[]; problem: null } | { names: null; problem: string } {
  const parts = (separator === null ? [cell] : cell.split(separator)).map((part) =>
    part.normalize("NFC").replace(/\s+/gu, " ").trim(),
  );
  const names = [...new Map(parts.flatMap((name) => (name === "" ? [] : [[name.toLowerCase(), name]]))).values()];
  if (names.length > mostGroups)
    return { names: null, problem: `The cell names more than ${mostGroups} groups. Check the separator.` };
  if (names.some((name) => name.length > longestName))
    return { names: null, problem: `The name of a group has more than ${longestName} characters.` };
  if (names.some((name) => /\p{Cc}/u.test(name)))
    return { names: null, problem: "The name of a group has a control character." };
  return { names, problem: null };
}
