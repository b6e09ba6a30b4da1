"use client";
import { Skeleton } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Time } from "@/components/ui/time";
import type { SubjectView } from "@/server/subjects/view";
import { useSession } from "../../_shell/session";
import { PhotoDecision } from "../photo-decision";
import { usePhoto } from "../use-photo";
import { usePhotoDecisions, type PhotoDecisions } from "../use-photo-decisions";

const perPage = 12;
const grid = "grid grid-cols-1 gap-x-5 gap-y-6 p-4 sm:grid-cols-2 sm:p-5 xl:grid-cols-3";

/** Lists the photos that need an approval before cards show them. */
export function PhotoQueue() {
  const trpc = useTRPC();
  const at = usePage(perPage);
  const decisions = usePhotoDecisions();
  const query = useQuery(
    trpc.subjects.list.queryOptions(
      { ...at.range, awaitsPhotoApproval: "true" },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <>
      <PageHeader
        trail={[{ label: "People", href: "/subjects" }]}
        title="Photos to approve"
        description="Cards of these people show their photo once somebody has approved it."
      />
      <ListFrame
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["photo", "photos"]} />
        }
      >
        {query.error && !query.data ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data?.data.length === 0 && !query.data.total ? (
          <Empty icon={CircleCheck} title="No photo waits for approval">
            A photo comes here once it is set for somebody who holds such a card, or such a card is issued to them.
          </Empty>
        ) : (
          <ul className={grid}>
            {query.data
              ? query.data.data.map((subject) => <Waiting key={subject.id} subject={subject} decisions={decisions} />)
              : Array.from({ length: 3 }, (_, i) => (
                  <li key={i}>
                    <Skeleton className="h-40 w-full rounded-lg" />
                  </li>
                ))}
          </ul>
        )}
      </ListFrame>
      {decisions.dialogs}
    </>
  );
}

function Waiting({ subject, decisions }: { subject: SubjectView; decisions: PhotoDecisions }) {
  const { id, displayName, externalId, photoUpdatedAt } = subject;
  const { can } = useSession();
  const photo = usePhoto(subject);
  const name = displayName || externalId;
  return (
    <li className="flex gap-4">
      <span className="h-40 w-30 shrink-0 overflow-hidden rounded-lg border bg-surface-secondary">
        {photo ? <img src={photo} alt={name} className="size-full object-cover" /> : <Skeleton className="size-full" />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col">
        <Link href={`/subjects/${id}`} className="font-medium wrap-anywhere hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <code className="font-mono text-xs break-all text-muted">{externalId}</code>
        <p className="mt-1 text-xs text-muted">
          Set <Time at={photoUpdatedAt!} />
        </p>
        {can("subjects:write") && (
          <div className="mt-auto pt-3">
            <PhotoDecision subject={subject} photoUpdatedAt={photoUpdatedAt!} decisions={decisions} />
          </div>
        )}
      </div>
    </li>
  );
}
