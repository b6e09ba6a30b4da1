"use client";
import { useEffect } from "react";

const forms = new Set<symbol>();

/** Whether a form on the page has unsaved changes. */
export function hasUnsaved(): boolean {
  return forms.size > 0;
}

/**
 * Marks a form as unsaved: the browser asks before the page is left, and an ended session does not replace the page.
 */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const form = Symbol("form");
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    forms.add(form);
    window.addEventListener("beforeunload", ask);
    return () => {
      forms.delete(form);
      window.removeEventListener("beforeunload", ask);
    };
  }, [unsaved]);
}
