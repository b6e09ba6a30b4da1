"use client";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

interface Unread {
  /** Whether somebody tried to submit the form. From then on each unreadable field shows its error. */
  tried: boolean;
  /** @param focus moves the focus to the field; null once its text can be parsed, or the field is gone. */
  report(field: symbol, focus: (() => void) | null): void;
  /**
   * Moves the focus to the first of them.
   *
   * @returns false if there is none.
   */
  show(): boolean;
}

export const UnreadContext = createContext<Unread | null>(null);

/**
 * The fields of a form whose text cannot be parsed, such as half a date. The form is not submitted with them, because
 * it would send them as empty.
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
 * Prevents the surrounding form from being submitted while a field's text cannot be parsed.
 *
 * @returns whether somebody tried to submit it.
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
