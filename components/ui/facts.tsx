import type { ReactNode } from "react";

/** Names and values, one per line. A value of null or an empty string is shown as a dash. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-separator text-[0.8125rem]">{children}</dl>;
}

/** One line. False leaves the line out, because the fact does not apply. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  if (children === false) return null;
  const absent = children === null || children === undefined || children === "";
  return (
    <div className="grid grid-cols-[minmax(6.5rem,27%)_1fr] items-baseline gap-4 py-2 first:pt-0 last:pb-0">
      <dt className="min-w-0 text-muted wrap-anywhere">{name}</dt>
      <dd className="min-w-0 wrap-anywhere [&_time]:whitespace-normal">
        {absent ? <span className="text-muted">–</span> : children}
      </dd>
    </div>
  );
}
