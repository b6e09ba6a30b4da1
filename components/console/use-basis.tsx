"use client";
import { notifyManager, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import type { Problem } from "@/components/problem";
import { same, threeWay, threeWaySince } from "./three-way";

/** What both the person and somebody else changed, in words. */
export interface ClashWords {
  /** Such as "Attributes › room". */
  field: string;
  mine: string;
  theirs: string;
}

export interface Conflict {
  /** Empty where the two changed different fields. */
  clashes: ClashWords[];
  /** False while what was entered cannot be read, so that it cannot be told what the person changed. */
  canKeep: boolean;
  /** Goes on with what the person changed, on top of what was saved meanwhile. */
  keep(): void;
  /** Begins anew with what was saved meanwhile. */
  reload(): void;
}

interface Options<R, F> {
  /** The record as the page knows it now; undefined for a form that makes a new one. */
  record: R | undefined;
  /**
   * The part of the record that the form changes, under the names of the input. A change elsewhere in the record is no
   * conflict.
   */
  shown(record: R): F;
  /** What besides makes another state of the record, such as its version. */
  stamp?(record: R): unknown;
  /** What the form holds, as `shown` would have it; null while it cannot be read. */
  entered: F | null;
  /** Puts into the form what the person changed and, in the other fields, what was saved meanwhile. */
  onMerge(merged: F): void;
  /** The fields as the form names them. */
  labels: Record<keyof F & string, string>;
  /** A value as the form shows it, where it is no text. */
  say?(value: unknown): string;
  action: { reset(): void; output?: R; problem: Problem | null };
  reload(): void;
}

/**
 * Keeps the state of a record on which a form is based, and sends its ETag as `ifMatch`. If somebody else saved the
 * record after the form was opened, the save is refused and the person is asked. A save of this form becomes its new
 * basis.
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
  const [saved, setSaved] = useState(action.output);
  if (action.output !== undefined && action.output !== saved) {
    setSaved(action.output);
    setOpened(action.output);
  }
  const isAsOpened = !record || !opened || (same(shown(opened), shown(record)) && same(stamp(opened), stamp(record)));
  const basis = isAsOpened ? record : opened;
  const refusal = action.problem?.code === "precondition_failed" ? action.problem : null;
  /** What was entered when the person was told of the conflict. */
  const [told, setTold] = useState<{ refusal: Problem; entered: F | null } | null>(null);
  if (refusal !== (told?.refusal ?? null)) setTold(refusal && { refusal, entered });
  const merging = (current: R | undefined) => {
    if (!entered || !opened || !current) return null;
    const [first, theirs] = [shown(opened), shown(current)];
    return told?.entered ? threeWaySince(first, told.entered, entered, theirs) : threeWay(first, entered, theirs);
  };
  /** On top of a state whose clashes the person has seen: the next save is refused again where it changed since. */
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
      // What was saved is not read yet.
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
 * Runs `then` once the page shows what was read anew: after the notifications of the queries, which are scheduled too.
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

/** A form that can be begun anew from the record as it is now. */
export function Reloadable({ children }: { children(reload: () => void): ReactNode }) {
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const reload = () => readAnew(queries, () => setRound((now) => now + 1));
  return <Fragment key={round}>{children(reload)}</Fragment>;
}
