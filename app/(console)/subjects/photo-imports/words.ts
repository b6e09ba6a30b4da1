import type { PhotoImportView } from "@/server/photos/view";

const format = new Intl.NumberFormat("en");

export const photosOf = (n: number) => `${format.format(n)} ${n === 1 ? "photo" : "photos"}`;

/** It is not over yet, so what is shown of it changes by itself. */
export const isUnderWay = ({ status }: PhotoImportView) => status === "queued" || status === "running";

/** What stands on an import's status. One that rejected each of its files is no success. */
export function importStatus({ status, counts }: PhotoImportView): { of: string; label?: string } {
  if (status !== "completed" || counts.rejected === 0) return { of: status };
  return counts.rejected === counts.total
    ? { of: "failed", label: "All rejected" }
    : { of: "paused", label: "Partly rejected" };
}
