"use client";
import { createContext, type ReactNode, useContext, useId, useState, useSyncExternalStore } from "react";
import { CopyButton } from "@/components/ui/copy";
import { highlight } from "./highlight";

/** The placeholders in the samples. */
const exampleUrl = "http://localhost:3000";

const nothingToHear = () => () => undefined;

const PublicUrl = createContext(exampleUrl);

/** Provides the service's address to the samples below, for readers without JavaScript. */
export function WithPublicUrl({ url, children }: { url: string; children: ReactNode }) {
  return <PublicUrl value={url}>{children}</PublicUrl>;
}

/** A sample with the address of this service, as the reader reached it; without JavaScript, its public one. */
function useHere(code: string): string {
  const publicUrl = useContext(PublicUrl);
  const origin = useSyncExternalStore(
    nothingToHear,
    () => window.location.origin,
    () => publicUrl,
  );
  return code.replaceAll(exampleUrl, origin);
}

export function Code({ code, title }: { code: string; title: string }) {
  const here = useHere(code.trimEnd());
  return (
    <figure className="my-5 min-w-0 overflow-hidden rounded-lg border bg-surface">
      <figcaption className="flex h-9 items-center justify-between gap-3 border-b bg-surface-secondary ps-3.5 pe-1.5 text-xs text-muted">
        <span className="truncate">{title}</span>
        <CopyButton text={here} what={title} />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={title}
        className="scrollbar max-h-160 overflow-auto p-3.5 font-mono text-xs leading-5 outline-none focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset"
      >
        <code>{highlight(here)}</code>
      </pre>
    </figure>
  );
}

/** Shows one of several languages of the same sample. */
export function Languages({
  samples,
  label,
}: {
  samples: Record<string, { name: string; code: string }>;
  label: string;
}) {
  const id = useId();
  const [shown, show] = useState(Object.keys(samples)[0]!);
  const { name, code } = samples[shown]!;
  return (
    <div className="my-5 [&_figure]:my-0 [&_figure]:rounded-ss-none">
      <div className="-mb-px flex gap-1 overflow-x-auto" role="group" aria-label={label}>
        {Object.entries(samples).map(([key, each]) => (
          <button
            key={key}
            type="button"
            aria-pressed={key === shown}
            aria-controls={id}
            onClick={() => show(key)}
            className={`rounded-t-md border border-b-0 px-3 py-1.5 text-[0.8125rem] outline-none focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset ${key === shown ? "bg-surface-secondary font-medium" : "border-transparent text-muted hover:text-foreground"}`}
          >
            {each.name}
          </button>
        ))}
      </div>
      <div id={id}>
        <Code code={code} title={`${label}, ${name}`} />
      </div>
    </div>
  );
}
