import { Notice } from "@/components/ui/notice";
import type { Mapping } from "@/server/connectors/mapping";

/** Warns if the changed mapping identifies people by another id than before. */
export function ChangedId({ before, after }: { before: Mapping; after: Mapping }) {
  if (JSON.stringify(before.externalId) === JSON.stringify(after.externalId)) return null;
  return (
    <Notice tone="warning" title="People will be known by another id">
      Unless both columns hold the same ids, everybody in the next file counts as new, and everybody whom this connector
      has brought so far as missing. Change it only if your system has renamed the column.
    </Notice>
  );
}
