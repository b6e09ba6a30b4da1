"use client";
import { Search } from "lucide-react";
import type { FormEvent, RefObject } from "react";
import { buttonLook } from "./plain-button";
import { say } from "./words";

interface Props {
  typed?: string;
  field?: RefObject<HTMLInputElement | null>;
  /** Handles the typed text instead of submitting the form. */
  take?: (typed: string) => void;
}

/** A form to type or paste a code or a link. It is a plain form, so that it works without scripts. */
export function CodeForm({ typed = "", field, take }: Props) {
  function submit(event: FormEvent<HTMLFormElement>) {
    if (!take) return;
    event.preventDefault();
    take(String(new FormData(event.currentTarget).get("code")));
  }

  return (
    <form action="/verify" method="get" role="search" onSubmit={submit}>
      <label htmlFor="code" className="text-[0.8125rem] font-medium">
        {say("Code or link")}
      </label>
      <div className="mt-1.5 flex flex-col gap-2 sm:flex-row">
        <input
          ref={field}
          id="code"
          name="code"
          required
          defaultValue={typed}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck="false"
          enterKeyHint="go"
          placeholder="7Q2M-0X4K-9VTB-C31E"
          aria-describedby="code-hint"
          className="input h-12 min-w-0 shrink-0 px-3.5 sm:flex-1 font-mono text-base tracking-wide placeholder:text-muted/60 sm:text-base"
        />
        <button type="submit" className={`${buttonLook("primary", "lg")} h-12 w-full px-6 text-base sm:w-auto md:h-12`}>
          <Search aria-hidden="true" className="size-4.5" /> {say("Check")}
        </button>
      </div>
      <p id="code-hint" className="mt-1.5 text-xs text-muted">
        {say("16 letters and digits. Capitals, hyphens and spaces do not matter.")}
      </p>
    </form>
  );
}
