import type { ReactNode } from "react";

/** The frame of a list on a page: filters, rows, pages. */
export function ListFrame({
  filters,
  children,
  pager,
}: {
  filters?: ReactNode;
  children: ReactNode;
  pager?: ReactNode;
}) {
  return (
    <section className="min-w-0 rounded-xl border bg-surface shadow-surface">
      {filters && <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2.5 sm:px-5">{filters}</div>}
      {children}
      {pager}
    </section>
  );
}
