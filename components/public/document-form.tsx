"use client";
import { Button } from "@heroui/react";
import { buttonVariants } from "@heroui/styles";
import { FileUp } from "lucide-react";
import { useId, useState, useSyncExternalStore, type FormEvent } from "react";
import type { Handed } from "./use-document";

const never = () => () => undefined;

/** Paste a credential, or choose its file. Only there where scripts run. */
export function DocumentForm({ check }: { check(handed: Handed): void }) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [text, setText] = useState("");
  const [titleId, textId, fileId] = [useId(), useId(), useId()];
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
        Check a badge or a file
      </h2>
      <p className="text-[0.8125rem] text-pretty text-muted">
        An Open Badge or another signed credential, whoever issued it: the picture of the badge as you received it (PNG
        or SVG), its file, or its text.
      </p>
      <div className="mt-4">
        <label
          htmlFor={fileId}
          className={`${buttonVariants({ variant: "secondary", size: "lg" })} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2`}
        >
          <FileUp className="size-4.5" aria-hidden="true" />
          Choose a file
          <input
            id={fileId}
            type="file"
            accept=".png,.svg,.json,.jsonld,.jwt,.txt,image/png,image/svg+xml,application/json"
            className="sr-only"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) check(file);
              target.value = "";
            }}
          />
        </label>
      </div>
      <label htmlFor={textId} className="mt-5 block text-[0.8125rem] font-medium">
        Or paste its text
      </label>
      <textarea
        id={textId}
        value={text}
        onChange={({ target }) => setText(target.value)}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        placeholder={'{ "@context": … }'}
        className="input mt-1.5 min-h-24 w-full px-3.5 py-2.5 font-mono text-[0.8125rem]"
      />
      <Button type="submit" className="mt-2" isDisabled={text.trim() === ""}>
        Check the text
      </Button>
    </form>
  );
}
