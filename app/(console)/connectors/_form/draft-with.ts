import type { ReadAttribute } from "@/server/connectors/read-attributes";
import type { Draft } from "./draft";
import { suggestDraft, unchosen } from "./guess";
import type { Sample } from "./read-sample";

/**
 * A draft whose columns are suggested again, now that it is known what cards and rules read. A column that the person has
 * pointed somewhere, or whose attribute they have named, stays.
 * @param before what was known when the draft was suggested
 */
export function suggestedAgain(
  now: Draft,
  { columns }: Sample,
  { before, read }: { before: ReadAttribute[]; read: ReadAttribute[] },
): Draft {
  const [was, is] = [suggestDraft(columns, before), suggestDraft(columns, read)];
  const at = (of: Draft, name: string) => of.columns.find(({ column }) => column === name);
  return {
    ...now,
    columns: now.columns.map((choice) => {
      const next = at(is, choice.column);
      return next && JSON.stringify(choice) === JSON.stringify(at(was, choice.column)) ? next : choice;
    }),
  };
}

/**
 * A draft with the columns of a sample. Of a connector that is made, a second sample replaces the first: columns that it
 * lacks are gone, and where none of the chosen ones is in it, all are suggested anew. Of one that is there, what is mapped
 * stays.
 */
export function draftWith(
  now: Draft,
  { columns }: Sample,
  { read, isNew }: { read: ReadAttribute[]; isNew: boolean },
): Draft {
  const has = (name: string) => columns.some((each) => each.name === name);
  const kept = now.columns.filter(({ target, column }) => has(column) || (!isNew && target !== "none"));
  if (isNew && !kept.some(({ target }) => target !== "none")) return suggestDraft(columns, read);
  return {
    ...now,
    columns: [
      ...kept,
      ...columns
        .filter((column) => !now.columns.some((each) => each.column === column.name))
        .map((column) => unchosen(column, read)),
    ],
  };
}
