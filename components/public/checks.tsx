import { Check, ChevronRight, CircleHelp, Minus, X } from "lucide-react";
import type { Verification } from "@/server/verification/view";
import { say, sayOf } from "./words";

const outcomes = {
  pass: { icon: Check, word: "Passed", look: "text-success" },
  fail: { icon: X, word: "Failed", look: "text-danger" },
  error: { icon: CircleHelp, word: "Could not be checked", look: "text-warning" },
  skipped: { icon: Minus, word: "Not checked", look: "text-muted" },
};

/** The list of all checks, for readers who want the details. */
export function Checks({ checks, isOpen = false }: Pick<Verification, "checks"> & { isOpen?: boolean }) {
  return (
    <details open={isOpen} className="group text-[0.8125rem] print:[&::details-content]:[content-visibility:visible]">
      <summary className="flex cursor-pointer list-none items-center gap-1 rounded-md py-1 font-medium text-muted hover:text-foreground [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" />
        {say("What was checked")}
      </summary>
      <ul className="mt-2 space-y-1.5 pl-1">
        {checks.map(({ name, outcome, detail }, i) => {
          const { icon: Icon, word, look } = outcomes[outcome];
          return (
            <li key={`${i} ${name}`} className="flex gap-2">
              <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden="true" />
              <span className="min-w-0 wrap-anywhere">
                <span className="sr-only">{say(word)}: </span>
                {sayOf(detail)}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
