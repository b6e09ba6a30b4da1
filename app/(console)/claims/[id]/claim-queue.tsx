"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck, Inbox } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { countElsewhere, useChosen } from "@/components/ui/chosen";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Notice } from "@/components/ui/notice";
import { Pager, usePage } from "@/components/ui/pager";
import type { ClaimView, DecidedClaims } from "@/server/claims/claim-view";
import type { ClaimLinkView } from "@/server/claims/view";
import { claimColumns, entryFields } from "./claim-columns";
import { RejectDialog } from "./reject-dialog";

const states = ["waiting", "confirming", "issued", "rejected"] as const;
const stateOptions = [
  { value: "waiting", label: "Waiting" },
  { value: "confirming", label: "Confirm the name" },
  { value: "issued", label: "Issued" },
  { value: "rejected", label: "Rejected" },
] as const;
/** The most claims that one request can decide. */
const most = 100;

/** Lists the claims of a link, and lets administrators approve or reject waiting ones. */
export function ClaimQueue({ link, write }: { link: ClaimLinkView; write: boolean }) {
  const trpc = useTRPC();
  const at = usePage();
  const [state, setState] = useQueryState("state", parseAsStringLiteral(states));
  const [rejecting, setRejecting] = useState<string[] | null>(null);
  const [refused, setRefused] = useState<DecidedClaims["data"]>([]);
  const choice = useChosen<ClaimView>(`claims of ${link.id}`);
  const query = useQuery(
    trpc.claims.list.queryOptions(
      { ...at.range, claimLinkId: link.id, ...(state && { state }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const template = useQuery(trpc.templates.get.queryOptions({ id: link.templateId }));
  const decided = ({ data }: DecidedClaims) => {
    setRefused(data.filter(({ ok }) => !ok));
    choice.clear();
  };
  const approve = useAction(trpc.claims.approve.mutationOptions(), {
    done: ({ succeeded }) =>
      succeeded === 0 ? null : succeeded === 1 ? "One credential issued" : `${succeeded} credentials issued`,
    onDone: decided,
    loud: true,
  });
  const waiting = new Map([...choice.chosen].filter(([, claim]) => claim.state === "waiting"));
  const ids = [...waiting.keys()].slice(0, most);
  const columns = claimColumns({
    fields: entryFields(link.fields, template.data?.version.design),
    ...(write && {
      onApprove: ({ id }: ClaimView) => approve.run({ ids: [id] }),
      onReject: ({ id }: ClaimView) => setRejecting([id]),
    }),
  });
  const canChoose = write && (link.waitingCount > 0 || waiting.size > 0);
  return (
    <div className="min-w-0">
      {refused.length > 0 && (
        <Notice
          tone="danger"
          className="mb-4"
          title={refused.length === 1 ? "One claim was not decided" : `${refused.length} claims were not decided`}
        >
          {[...new Set(refused.map(({ error }) => error!.message))].join(" ")}
        </Notice>
      )}
      <ListFrame
        filters={
          <Filter
            label="State"
            any="Any state"
            value={state}
            onChange={(next) => {
              void setState(next);
              void at.setPage(null);
            }}
            options={stateOptions}
            className="w-40"
          />
        }
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["claim", "claims"]} />
        }
      >
        <DataTable
          label="Claims"
          columns={columns}
          query={query}
          rowKey={(claim) => claim.id}
          {...(canChoose && {
            selection: {
              chosen: choice.chosen,
              onChange: choice.onChange,
              nameOf: ({ displayName, email }: ClaimView) => displayName || email,
            },
          })}
          empty={
            state ? (
              <Empty icon={CircleCheck} title="No such claim" />
            ) : (
              <Empty icon={Inbox} title="Nobody has claimed yet">
                Whoever claims appears here{link.approval ? ", and waits until you approve" : ""}.
              </Empty>
            )
          }
        />
      </ListFrame>
      <ChosenBar
        count={ids.length}
        elsewhere={countElsewhere(waiting, query.data?.data, (claim) => claim.id)}
        noun={["claim", "claims"]}
        onClear={choice.clear}
      >
        <Button size="sm" isPending={approve.isPending} onPress={() => approve.run({ ids })}>
          Approve
        </Button>
        <Button size="sm" variant="outline" onPress={() => setRejecting(ids)}>
          Reject
        </Button>
      </ChosenBar>
      <RejectDialog
        isOpen={rejecting !== null}
        onOpenChange={(open) => !open && setRejecting(null)}
        ids={rejecting ?? []}
        onDone={decided}
      />
    </div>
  );
}
