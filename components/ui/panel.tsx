import type { ReactNode } from "react";

interface Props {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Whether to omit the inner padding, for tables and lists that reach the edges. */
  flush?: boolean;
}

/** A bordered part of a page with its own heading. */
export function Panel({ title, description, actions, children, className = "", flush = false }: Props) {
  return (
    <section className={`min-w-0 rounded-xl border bg-surface shadow-surface ${className}`}>
      {title !== undefined && (
        <div
          className={`flex flex-wrap items-start justify-between gap-4 px-4 pt-3.5 sm:px-5 ${flush ? "border-b pb-3.5" : ""}`}
        >
          <div className="min-w-0 flex-1 basis-40">
            <h2 className="text-sm font-semibold tracking-[-0.005em]">{title}</h2>
            {description && <p className="mt-0.5 text-[0.8125rem] text-pretty text-muted">{description}</p>}
          </div>
          {actions && <div className="-my-1 flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={flush ? "" : "px-4 py-4 sm:px-5"}>{children}</div>
    </section>
  );
}
