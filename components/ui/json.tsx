import { CopyButton } from "./copy";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON, indented and coloured by the kind of each part. `value` may be a string of JSON; other text is shown unchanged.
 */
export function Json({ value, what = "JSON", className = "" }: { value: unknown; what?: string; className?: string }) {
  const text = typeof value === "string" ? pretty(value) : JSON.stringify(value, null, 2);
  return (
    <div className={`relative min-w-0 rounded-lg border bg-surface-secondary ${className}`}>
      <pre tabIndex={0} className="max-h-112 scrollbar overflow-auto p-3 pe-10 font-mono text-xs leading-5">
        <code>{paint(text)}</code>
      </pre>
      <CopyButton
        text={text}
        what={what}
        className="absolute end-2 top-2 bg-surface-secondary shadow-[0_0_0_0.375rem_var(--surface-secondary)]"
      />
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function paint(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(end, match.index));
    const tone = string ? (colon ? "text-foreground" : "text-success-soft-foreground") : "text-accent-soft-foreground";
    parts.push(
      <span key={match.index} className={tone}>
        {whole}
      </span>,
    );
    end = match.index + whole.length;
  }
  return [
    ...parts,
    <span key="muted" className="text-muted">
      {text.slice(end)}
    </span>,
  ];
}
