"use client";
import { notifyManager, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";

export interface Conflict {
  /** Goes on with what the person entered: the next save replaces what was saved meanwhile. */
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
  action: { reset(): void; output?: R };
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
  action,
  reload,
}: Options<R, F>) {
  const queries = useQueryClient();
  // What the person saw at first stays what their changes are compared with, also after they chose to keep them.
  const [first, setFirst] = useState(record);
  const [opened, setOpened] = useState(record);
  const [saved, setSaved] = useState(action.output);
  if (action.output !== undefined && action.output !== saved) {
    setSaved(action.output);
    setFirst(action.output);
    setOpened(action.output);
  }
  const latest = useRef(record);
  useEffect(() => {
    latest.current = record;
  });
  const isAsOpened = !record || !opened || same(shown(opened), shown(record));
  const basis = isAsOpened ? record : opened;
  const conflict: Conflict = {
    keep() {
      readAnew(queries, () => {
        setOpened(latest.current);
        action.reset();
      });
    },
    reload,
  };
  return {
    /** The state of the record that the next save replaces. */
    basis,
    ifMatch: basis?.etag,
    conflict,
    /**
     * Only the fields that the person changed: what was left as it was first shown may have been changed by somebody
     * else.
     */
    changes: (entered: F): Partial<F> => changesIn(first && shown(first), entered),
  };
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

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A form that can be begun anew from the record as it is now. */
export function Reloadable({ children }: { children(reload: () => void): ReactNode }) {
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const reload = () => readAnew(queries, () => setRound((now) => now + 1));
  return <Fragment key={round}>{children(reload)}</Fragment>;
}
