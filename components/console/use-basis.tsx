"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment, useState, type ReactNode } from "react";
import type { Action } from "./use-action";

export interface Conflict {
  /** Goes on with what the person entered: the next save replaces what was saved meanwhile. */
  keep(): void;
  /** Begins anew with what was saved meanwhile. */
  reload(): void;
}

/**
 * What a form is based on, as `ifMatch` of its change: a record that somebody saved after the form was opened is not overwritten without asking.
 *
 * @param record as the page knows it now. @param shown the part of it that the form changes: where this is as it was, a change elsewhere in the record does not matter.
 */
export function useBasis(record: { etag?: string } | undefined, shown: unknown, action: Pick<Action<never>, "reset">, reload: () => void) {
  const now = JSON.stringify(shown);
  const [opened] = useState({ etag: record?.etag, shown: now });
  const [isKept, setKept] = useState(false);
  const conflict: Conflict = {
    keep() {
      setKept(true);
      action.reset();
    },
    reload,
  };
  return { ifMatch: isKept || opened.shown === now ? record?.etag : opened.etag, conflict };
}

/** A form that can be begun anew from the record as it is now. */
export function Reloadable({ children }: { children(reload: () => void): ReactNode }) {
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const reload = () => void queries.invalidateQueries().then(() => setRound((now) => now + 1));
  return <Fragment key={round}>{children(reload)}</Fragment>;
}
