"use client";
import { useEffect } from "react";

/** The element that had the focus, and its ancestors, innermost first, each with its position among its siblings. */
interface Trace {
  element: Element;
  path: { parent: Element; index: number }[];
  address: string;
}

const kept = 8;
const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex='-1'])";

/**
 * Moves the focus to a sensible place when the focused element is removed or disabled: a deleted row, a dialog whose
 * opener is gone, a chip, or the button that turned to the last page. The browser would move the focus to the body, and
 * keyboard and screen reader users would start at the top of the page. Chooses the nearest neighbour of the removed
 * element, else the element that had the focus before, else the page's heading.
 */
export function FocusKeeper() {
  useEffect(() => {
    const traces: Trace[] = [];
    let frame = 0;
    const note = (event: FocusEvent) => {
      if (!(event.target instanceof Element) || event.target === document.body) return;
      traces.unshift(traceOf(event.target));
      traces.length = Math.min(traces.length, kept);
    };
    const observer = new MutationObserver((records) => {
      const [last] = traces;
      if (
        !last ||
        !isGone(last.element) ||
        !records.some(({ type, removedNodes }) => type === "attributes" || removedNodes.length > 0)
      )
        return;
      cancelAnimationFrame(frame);
      const neighbour = isLost(last) && last.address === window.location.pathname ? candidateOf(last) : undefined;
      if (neighbour) return neighbour.focus();
      // A closing dialog returns the focus to its opener in the next frame, so wait for it.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (isLost(traces[0])) restoreFocus(traces);
        });
      });
    });
    document.addEventListener("focusin", note);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, []);
  return null;
}

function traceOf(element: Element): Trace {
  const path: Trace["path"] = [];
  for (
    let child = element, parent = element.parentElement;
    parent && parent !== document.body;
    child = parent, parent = parent.parentElement
  )
    path.push({ parent, index: [...parent.children].indexOf(child) });
  return { element, path, address: window.location.pathname };
}

const isGone = (element: Element) => !element.isConnected || element.matches(":disabled");

/** The focused element was removed or disabled, and nothing has the focus now. */
function isLost(last: Trace | undefined): boolean {
  return (
    last !== undefined &&
    isGone(last.element) &&
    (document.activeElement === null || document.activeElement === document.body)
  );
}

function restoreFocus(traces: readonly Trace[]): void {
  const here = traces.filter((trace) => trace.address === window.location.pathname);
  const target =
    traces[0]!.address === window.location.pathname
      ? here.map(candidateOf).find((each) => each !== undefined)
      : undefined;
  (target ?? document.querySelector<HTMLElement>("main h1, h1"))?.focus();
}

/** Returns the element itself, or its nearest neighbour within the remaining ancestors. */
function candidateOf({ element, path }: Trace): HTMLElement | undefined {
  if (!isGone(element)) return isUsable(element) ? (element as HTMLElement) : undefined;
  const left = path.find(({ parent }) => parent.isConnected);
  // The parts of a whole page are not neighbours.
  if (!left || left.parent.matches("main, main > *, main *:has(h1), :has(> main)")) return undefined;
  const from = left.parent.children[left.index] ?? left.parent.lastElementChild;
  const within = (root: Element | null | undefined) =>
    (root
      ? [root, ...root.querySelectorAll(focusable)].find((each) => each.matches(focusable) && isUsable(each))
      : undefined) as HTMLElement | undefined;
  return within(from) ?? within(left.parent);
}

/** Skip a field with suggestions: its list opens on focus, and covers the page. */
function isUsable(element: Element): boolean {
  return (
    element.checkVisibility() &&
    !element.matches("[role='combobox']") &&
    !element.closest("[inert], [aria-hidden='true']")
  );
}
