import type { ReactNode } from "react";

export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-6">
      <h1 className="text-2xl font-semibold tracking-[-0.02em] text-balance">{title}</h1>
      {children && <p className="mt-1.5 text-sm text-pretty text-muted">{children}</p>}
    </div>
  );
}
