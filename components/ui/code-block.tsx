import { CopyButton } from "./copy";

interface Props {
  code: string;
  what?: string;
  /** Wraps lines instead of scrolling, for text without structure: tokens, answers. */
  wrap?: boolean;
  className?: string;
}

export function CodeBlock({ code, what = "code", wrap = false, className = "" }: Props) {
  return (
    <div className={`relative min-w-0 rounded-lg border bg-surface-secondary ${className}`}>
      <pre
        tabIndex={0}
        className={`max-h-96 scrollbar overflow-auto p-3 pe-10 font-mono text-xs leading-5 ${wrap ? "break-all whitespace-pre-wrap" : ""}`}
      >
        <code>{code}</code>
      </pre>
      <CopyButton
        text={code}
        what={what}
        className="absolute end-2 top-2 bg-surface-secondary shadow-[0_0_0_0.375rem_var(--surface-secondary)]"
      />
    </div>
  );
}
