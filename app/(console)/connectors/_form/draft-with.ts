import type { ReadAttribute } from "@/server/connectors/read-attributes";
import type { Draft } from "./draft";
import { suggestDraft, unchosen } from "./guess";
import type { Sample } from "./read-sample";

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
