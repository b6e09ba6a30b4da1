"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Copyable } from "@/components/ui/copy";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import type { PhotoImportView } from "@/server/photos/view";
import { useSession } from "../../../_shell/session";
import { importStatus, isUnderWay, photosOf } from "../words";
import { ImportFigures } from "./import-figures";
import { RejectedFiles } from "./rejected-files";

const trail = [
  { label: "People", href: "/subjects" },
  { label: "Photos from archives", href: "/subjects/photo-imports" },
];

export function PhotoImport({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.photos.import.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1_000 : false) },
    ),
  );
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  const found = query.data;
  return (
    <>
      <PageHeader
        trail={trail}
        title={photosOf(found.counts.total)}
        aside={
          <span aria-live="polite">
            <Status {...importStatus(found)} />
          </span>
        }
        description={<Copyable text={found.id} what="id in the API" />}
        actions={<Cancel found={found} />}
      />
      {found.stopReason && (
        <Notice tone="warning" title="This was stopped" className="mb-5">
          {found.stopReason} What was set before stays. To go on, upload the archive again: photos that are set already
          are passed over.
        </Notice>
      )}
      <ImportFigures found={found} />
      {found.counts.rejected > 0 && <RejectedFiles found={found} />}
    </>
  );
}

function Cancel({ found }: { found: PhotoImportView }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState(false);
  const action = useAction(trpc.photos.cancel.mutationOptions(), { done: "Stopped", onDone: () => setAsked(false) });
  if (!isUnderWay(found) || !can("subjects:write")) return null;
  const { total, processed, written } = found.counts;
  return (
    <>
      <Button variant="danger-soft" onPress={() => setAsked(true)}>
        <CircleStop aria-hidden="true" /> Stop
      </Button>
      <Confirm
        isOpen={asked}
        onOpenChange={setAsked}
        title="Stop it here?"
        confirm="Stop"
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({ id: found.id })}
      >
        <p>
          About {photosOf(total - processed)} of the archive will not be set. To go on later, upload the archive again:
          photos that are set already are passed over.
        </p>
        <p>{written === 0 ? "Nothing was changed so far." : `The ${photosOf(written)} set so far stay.`}</p>
      </Confirm>
    </>
  );
}
