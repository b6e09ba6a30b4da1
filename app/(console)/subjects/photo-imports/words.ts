import type { PhotoImportView } from "@/server/photos/view";

const format = new Intl.NumberFormat("en");

export const photosOf = (n: number) => `${format.format(n)} ${n === 1 ? "photo" : "photos"}`;

/** Whether the import has not ended, so that its page must be polled. */
export const isUnderWay = ({ status }: PhotoImportView) => status === "queued" || status === "running";

/** The label of an import's status. An import that rejected all of its files is not shown as a success. */
export function importStatus({ status, counts }: PhotoImportView): { of: string; label?: string } {
  if (status !== "completed" || counts.rejected === 0) return { of: status };
  return counts.rejected === counts.total
    ? { of: "failed", label: "All rejected" }
    : { of: "paused", label: "Partly rejected" };
}
