import type { ReadAttribute } from "@/server/connectors/read-attributes";
import type { Draft } from "./draft";
import { suggestDraft, unchosen } from "./guess";
import type { Sample } from "./read-sample";

/**
 * Suggests the columns of a draft again once the attributes that cards and rules read are loaded. Keeps columns whose
 * target or attribute name the administrator has changed.
 * @param before the attributes that were loaded at the first suggestion
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
 * Updates a draft with the columns of a sample. For a new connector, a second sample replaces the first: columns that it
 * lacks are removed, and if it has none of the mapped columns, all are suggested again. For an existing connector, mapped
 * columns stay.
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
