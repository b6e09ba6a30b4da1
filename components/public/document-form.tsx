"use client";
import { useId, useState, useSyncExternalStore, type FormEvent } from "react";
import { PlainButton } from "./plain-button";
import { say } from "./words";

const never = () => () => undefined;

/** A form to paste a credential. Only shown if scripts run. */
export function DocumentForm({ check }: { check(text: string): void }) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [text, setText] = useState("");
  const [titleId, textId] = [useId(), useId()];
  if (!running) return null;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() !== "") check(text);
  }

  return (
    <form
      onSubmit={submit}
      aria-labelledby={titleId}
      className="no-print rounded-2xl border bg-surface p-5 shadow-surface sm:p-6"
    >
      <h2 id={titleId} className="mb-1 text-base font-semibold">
        {say("Check the text of a badge")}
      </h2>
      <p className="text-[0.8125rem] text-pretty text-muted">
        {say("An Open Badge or another signed credential, whoever issued it. Its picture or file is chosen above.")}
      </p>
      <label htmlFor={textId} className="mt-4 block text-[0.8125rem] font-medium">
        {say("Paste its text")}
      </label>
      <textarea
        id={textId}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        rows={4}
        spellCheck="false"
        autoComplete="off"
        placeholder={'{ "@context": … }'}
        className="input mt-1.5 min-h-24 w-full px-3.5 py-2.5 font-mono text-[0.8125rem]"
      />
      <PlainButton type="submit" className="mt-2" disabled={text.trim() === ""}>
        {say("Check the text")}
      </PlainButton>
    </form>
  );
}
