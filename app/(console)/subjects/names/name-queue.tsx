"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { NameRequestView } from "@/server/holders/name-request-view";
import { useSession } from "../../_shell/session";
import { ApproveName, RejectName } from "./decide-name";

/** Lists the names that holders have requested. */
export function NameQueue() {
  const trpc = useTRPC();
  const at = usePage();
  const { can } = useSession();
  const [decision, setDecision] = useState<{ request: NameRequestView; as: "approve" | "reject" } | null>(null);
  const query = useQuery(
    trpc.holders.nameRequests.queryOptions({ ...at.range, state: "waiting" }, { placeholderData: keepPreviousData }),
  );
  const opener = (as: "approve" | "reject") => ({
    isOpen: decision?.as === as,
    onOpenChange: (open: boolean) => !open && setDecision(null),
    request: decision?.request ?? null,
  });
  return (
    <>
      <PageHeader
        trail={[{ label: "People", href: "/subjects" }]}
        title="Names to correct"
        description="Holders asked for another name."
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["request", "requests"]}
          />
        }
      >
        {query.error && !query.data ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : !query.data ? (
          <div className="p-5">
            <SkeletonLines lines={4} />
          </div>
        ) : query.data.data.length === 0 && !query.data.total ? (
          <Empty icon={CircleCheck} title="No name waits for a decision">
            A request comes here when a holder asks for another name, at /home or at a link to confirm the name.
          </Empty>
        ) : (
          <ul className="divide-y">
            {query.data.data.map((request) => (
              <li key={request.id} className="flex flex-wrap items-start justify-between gap-4 px-4 py-4 sm:px-5">
                <div className="min-w-0 flex-1 basis-64">
                  <p className="font-medium wrap-anywhere">
                    <Link href={`/subjects/${request.subjectId}`} className="hover:underline">
                      <bdi>{request.currentName || "No name"}</bdi>
                    </Link>{" "}
                    <span className="font-normal text-muted">asks to be called</span> <bdi>{request.name}</bdi>
                  </p>
                  {request.note && <p className="mt-1 text-[0.8125rem] wrap-anywhere">“{request.note}”</p>}
                  <p className="mt-1 text-xs text-muted">
                    Asked <Time at={request.createdAt} />
                  </p>
                </div>
                {can("subjects:write") && (
                  <div className="flex gap-2">
                    {can("credentials:issue") && (
                      <Button size="sm" onPress={() => setDecision({ request, as: "approve" })}>
                        Approve
                      </Button>
                    )}
                    <Button size="sm" variant="outline" onPress={() => setDecision({ request, as: "reject" })}>
                      Reject
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListFrame>
      <ApproveName {...opener("approve")} />
      <RejectName {...opener("reject")} />
    </>
  );
}
