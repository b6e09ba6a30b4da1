import { Skeleton } from "@heroui/react";

/** Placeholder lines for text that is loading. */
export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  return (
    <div className="space-y-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} className="h-3.5 rounded-md" style={{ width: `${92 - ((i * 37) % 45)}%` }} />
      ))}
    </div>
  );
}

/** A placeholder for a page that is loading: header, two panels. */
export function SkeletonPage() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="mb-3 h-4 w-24 rounded-md" />
      <Skeleton className="mb-8 h-7 w-64 rounded-md" />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[2fr_1fr]">
        <div className="rounded-xl border bg-surface p-5">
          <SkeletonLines lines={7} />
        </div>
        <div className="rounded-xl border bg-surface p-5">
          <SkeletonLines lines={4} />
        </div>
      </div>
    </div>
  );
}
