"use client";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

interface Unread {
  /** Whether somebody tried to send the form, from when on each such field says what is wrong with it. */
  tried: boolean;
  /** @param focus goes to the field; null once its text can be read, or it is gone. */
  report(field: symbol, focus: (() => void) | null): void;
  /** Goes to the first of them. @returns false where there is none. */
  show(): boolean;
}

export const UnreadContext = createContext<Unread | null>(null);

/**
 * The fields of a form whose text could not be read, such as half a date. The form is not sent with them: it would send
 * as if they were empty.
 */
export function useUnreadFields() {
  const fields = useRef(new Map<symbol, () => void>());
  const [has, setHas] = useState(false);
  const [tried, setTried] = useState(false);
  const report = useCallback((field: symbol, focus: (() => void) | null) => {
    if (focus) fields.current.set(field, focus);
    else fields.current.delete(field);
    setHas(fields.current.size > 0);
  }, []);
  const show = useCallback(() => {
    const [first] = fields.current.values();
    setTried(first !== undefined);
    first?.();
    return first !== undefined;
  }, []);
  return { context: useMemo(() => ({ tried, report, show }), [tried, report, show]), has, show };
}

/**
 * Keeps the form around a field from being sent while its text cannot be read. @returns whether somebody tried to send
 * it.
 */
export function useUnread(isUnread: boolean, focus: () => void): boolean {
  const form = useContext(UnreadContext);
  const report = form?.report;
  const go = useRef(focus);
  useEffect(() => {
    go.current = focus;
  });
  useEffect(() => {
    if (!isUnread || !report) return;
    const field = Symbol("field");
    report(field, () => go.current());
    return () => report(field, null);
  }, [isUnread, report]);
  return form?.tried ?? false;
}
