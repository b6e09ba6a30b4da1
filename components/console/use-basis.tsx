"use client";
import { notifyManager, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import type { Problem } from "@/components/problem";
import { same, threeWay, threeWaySince } from "./three-way";

/** A part that both the person and somebody else changed, in words. */
export interface ClashWords {
  /** A label such as "Attributes › room". */
  field: string;
  mine: string;
  theirs: string;
}

export interface Conflict {
  /** Empty if the two changed different fields. */
  clashes: ClashWords[];
  /** False while the entered text cannot be parsed, so that the person's changes are unknown. */
  canKeep: boolean;
  /** Continues with the person's changes on top of what was saved meanwhile. */
  keep(): void;
  /** Starts again with what was saved meanwhile. */
  reload(): void;
}

interface Options<R, F> {
  /** The record as the page knows it now; undefined in a form for a new record. */
  record: R | undefined;
  /**
   * The part of the record that the form changes, under the names of the input. Changes to other parts are no conflict.
   */
  shown(record: R): F;
  /** Further values that distinguish states of the record, such as its version. */
  stamp?(record: R): unknown;
  /** The content of the form in the shape of `shown`; null while it cannot be parsed. */
  entered: F | null;
  /**
   * Fills the form with the person's changes and, in all other fields, with what was saved: by somebody else meanwhile,
   * or by this form, whose text may have been edited after the save began.
   */
  onMerge(merged: F): void;
  /** The labels of the fields. */
  labels: Record<keyof F & string, string>;
  /** Formats a value that is not a string as the form shows it. */
  say?(value: unknown): string;
  action: { reset(): void; isPending?: boolean; output?: R; problem: Problem | null };
  reload(): void;
}

/**
 * Keeps the state of a record on which a form is based, and sends its ETag as `ifMatch`. If somebody else saved the
 * record after the form was opened, the save is refused and the person is asked. A save of this form becomes its new
 * basis: fields that the person edited after the save began keep their text, the others show what was saved.
 */
export function useBasis<R extends { etag?: string }, F extends object>({
  record,
  shown,
  stamp = () => null,
  entered,
  onMerge,
  labels,
  say = inWords,
  action,
  reload,
}: Options<R, F>) {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(record);
  /** The entered values with which the last save began. */
  const [sent, setSent] = useState(entered);
  const [wasPending, setWasPending] = useState(action.isPending);
  if (action.isPending !== wasPending) {
    setWasPending(action.isPending);
    if (action.isPending) setSent(entered);
  }
  const [saved, setSaved] = useState(action.output);
  if (action.output !== saved) {
    setSaved(action.output);
    if (action.output !== undefined) {
      setOpened(action.output);
      if (sent && entered) onMerge(threeWay(sent, entered, shown(action.output)).merged);
    }
  }
  const isAsOpened = !record || !opened || (same(shown(opened), shown(record)) && same(stamp(opened), stamp(record)));
  const basis = isAsOpened ? record : opened;
  const refusal = action.problem?.code === "precondition_failed" ? action.problem : null;
  /** The entered values when the person was told of the conflict. */
  const [told, setTold] = useState<{ refusal: Problem; entered: F | null } | null>(null);
  if (refusal !== (told?.refusal ?? null)) setTold(refusal && { refusal, entered });
  const merging = (current: R | undefined) => {
    if (!entered || !opened || !current) return null;
    const [first, theirs] = [shown(opened), shown(current)];
    return told?.entered ? threeWaySince(first, told.entered, entered, theirs) : threeWay(first, entered, theirs);
  };
  /** The person has seen the clashes with this state. If the state changes again, the next save is refused again. */
  const keepOnTopOf = (current: R | undefined) => {
    const result = merging(current);
    if (!result) return;
    onMerge(result.merged);
    setOpened(current);
    action.reset();
  };
  const latest = useRef({ record, merging, keepOnTopOf });
  useEffect(() => {
    latest.current = { record, merging, keepOnTopOf };
  });
  const conflict: Conflict = {
    clashes: (isAsOpened ? [] : (merging(record)?.clashes ?? [])).map(({ path: [field, ...path], mine, theirs }) => ({
      field: [labels[field as keyof F & string], ...path].join(" › "),
      mine: say(mine),
      theirs: say(theirs),
    })),
    canKeep: entered !== null,
    keep() {
      if (!isAsOpened) return keepOnTopOf(record);
      // The saved state has not been loaded yet.
      readAnew(queries, () => {
        const now = latest.current;
        if (now.merging(now.record)?.clashes.length === 0) now.keepOnTopOf(now.record);
      });
    },
    reload,
  };
  return {
    /** The state of the record that the next save replaces. */
    basis,
    ifMatch: basis?.etag,
    conflict,
    /** Only the fields that the person changed. */
    changes: (now: F): Partial<F> => changesIn(opened && shown(opened), now),
  };
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === "") return "nothing";
  if (typeof value === "string" && value.startsWith("data:")) return "a picture";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/**
 * Runs `then` once the page shows the reloaded data: after the notifications of the queries, which are scheduled too.
 */
function readAnew(queries: QueryClient, then: () => void): void {
  void queries.invalidateQueries().then(() => notifyManager.schedule(then));
}

function changesIn<F extends object>(before: F | undefined, entered: F): Partial<F> {
  if (!before) return entered;
  return Object.fromEntries(
    Object.entries(entered).filter(([field, value]) => !same(value, before[field as keyof F])),
  ) as Partial<F>;
}

/** A form that can be started again with the present state of the record. */
export function Reloadable({ children }: { children(reload: () => void): ReactNode }) {
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const reload = () => readAnew(queries, () => setRound((now) => now + 1));
  return <Fragment key={round}>{children(reload)}</Fragment>;
}
