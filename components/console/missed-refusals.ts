import { useLayoutEffect } from "react";
import type { Problem } from "@/components/problem";

/** How many forms show each refusal now. A refusal that no form has shown is not included. */
const shownBy = new WeakMap<Problem, number>();

/** Records that a form shows this refusal while the form is on the page. */
export function useShows(problem: Problem | null): void {
  useLayoutEffect(() => {
    if (!problem) return;
    shownBy.set(problem, (shownBy.get(problem) ?? 0) + 1);
    return () => void shownBy.set(problem, shownBy.get(problem)! - 1);
  }, [problem]);
}

/** Whether a form showed this refusal and is no longer on the page. */
export function wentAway(problem: Problem): boolean {
  return shownBy.get(problem) === 0;
}

const words: Partial<Record<Problem["code"], Pick<Problem, "title" | "detail">>> = {
  subject_erased: {
    title: "Not saved: this person was erased",
    detail: "They asked for it. Nothing about them can be changed any more.",
  },
  run_state: { title: "Not done: this does not wait any more", detail: "The page shows what became of it." },
  not_found: { title: "Not saved: it is not there any more", detail: "Somebody removed it meanwhile." },
};

/**
 * Returns the text of a toast for a refusal whose dialog or row disappeared before it could be read. Returns `gone` if
 * the record no longer exists.
 */
export function missedWords(problem: Problem, gone?: string): Pick<Problem, "title" | "detail"> {
  if (problem.code === "not_found" && gone) return { title: gone, detail: "Nothing was changed." };
  return words[problem.code] ?? problem;
}
