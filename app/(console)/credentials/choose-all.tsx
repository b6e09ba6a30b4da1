"use client";
import { Button } from "@heroui/react";
import { useEffect, useState } from "react";
import { problemOf } from "@/components/problem";
import { useTRPCClient } from "@/components/trpc/client";
import type { Choosing } from "@/components/ui/chosen";
import type { PageOf } from "@/components/ui/read-all";
import type { CredentialView } from "@/server/credentials/view";
import type { RouterInputs } from "@/server/trpc/root";

type Filters = Omit<RouterInputs["credentials"]["list"], "limit" | "offset" | "cursor" | "sort">;

/** The most credentials of a bulk request. */
const most = 10_000;
const pageSize = 100;
const format = new Intl.NumberFormat("en");

interface Props {
  filters: Filters;
  isFiltered: boolean;
  shown: readonly CredentialView[] | undefined;
  total: number | undefined;
  choosing: Choosing<CredentialView>;
}

/**
 * Offers to choose all matching credentials once all on the page are chosen. Stores their ids one by one, so that
 * credentials which match later are not included and nothing happens to more credentials than the bar and the dialogs
 * count. Another filter, another choice, Cancel or leaving the page stops the reading, and then nothing is added.
 */
export function ChooseAll({ filters, isFiltered, shown, total, choosing }: Props) {
  const client = useTRPCClient();
  const [failure, setFailure] = useState<string | null>(null);
  /** The list that was last chosen as a whole. */
  const [whole, setWhole] = useState<{ match: string; keys: readonly string[] } | null>(null);
  const { chosen, reading, addAll, stopReading } = choosing;
  const match = JSON.stringify(filters);
  useEffect(
    () => () => {
      stopReading();
      setFailure(null);
    },
    [match, stopReading],
  );
  const choose = async () => {
    setFailure(null);
    try {
      const read: PageOf<CredentialView> = (cursor, signal) =>
        client.credentials.list.query({ ...filters, limit: pageSize, ...(cursor && { cursor }) }, { signal });
      const outcome = await addAll(read, { keyOf: (row) => row.id, most });
      if (typeof outcome !== "string") setWhole({ match, keys: [...outcome.keys()] });
      if (outcome === "tooMany") setFailure(`More than ${format.format(most)} match by now. Narrow the list first.`);
    } catch (error) {
      setFailure(problemOf(error).detail);
    }
  };
  const bar =
    "flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b bg-surface-secondary px-4 py-2 text-[0.8125rem]";
  if (reading) {
    return (
      <div role="status" className={bar}>
        <span className="tabular-nums">
          Choosing… {format.format(reading.found)}
          {total !== undefined && ` of ${format.format(total)}`}
        </span>
        <Button size="sm" variant="outline" onPress={stopReading}>
          Cancel
        </Button>
      </div>
    );
  }
  if (!shown?.length || total === undefined || total <= shown.length) return null;
  if (!shown.every((row) => chosen.has(row.id))) return null;
  // Other chosen credentials need not match, because the choice outlives a search.
  const isWhole = whole?.match === match && whole.keys.length >= total && whole.keys.every((key) => chosen.has(key));
  const scope = isFiltered ? " that match" : "";
  return (
    <div role="status" className={bar}>
      {total > most ? (
        <span>
          All {shown.length} on this page are chosen. At most {format.format(most)} can be chosen at once: narrow the
          list first.
        </span>
      ) : isWhole ? (
        <span>
          All {format.format(total)}
          {scope || " credentials"} are chosen.
        </span>
      ) : (
        <>
          <span>All {shown.length} on this page are chosen.</span>
          <Button size="sm" variant="outline" onPress={() => void choose()}>
            Choose all {format.format(total)}
            {scope}
          </Button>
        </>
      )}
      {failure && <span className="text-danger">{failure}</span>}
    </div>
  );
}
