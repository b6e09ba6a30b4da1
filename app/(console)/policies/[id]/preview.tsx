"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Play, Users } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { personColumns } from "@/components/ui/person-columns";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useSession } from "../../_shell/session";
import { actionLooks, count, isUnderWay, summaryOf, type Action, type Policy, type Preview } from "../words";
import { Radius } from "./radius";

type Person = Preview["data"][number];

const column = columnsOf<Person>();
const columns = column.columns([
  ...personColumns<Person>(),
  column.accessor("action", {
    header: "Credential",
    cell: ({ row: { original } }) => (
      <>
        <Status {...actionLooks[original.action]} />
        {original.graceUntil && (
          <span className="text-xs text-muted">
            {" "}
            until <Time at={original.graceUntil} as="date" />
          </span>
        )}
        {original.warnings.map(({ code }) => (
          <span key={code} className="block text-xs text-warning-soft-foreground">
            No name: the certificate would name nobody
          </span>
        ))}
        {original.exception && (
          <span className="block text-xs text-muted wrap-anywhere">
            Exception: <bdi>{original.exception.reason}</bdi>
          </span>
        )}
      </>
    ),
  }),
]);

const filters: readonly { value: Action; label: string }[] = [
  { value: "issue", label: "Get one" },
  { value: "confirming", label: "Were asked to confirm their name" },
  { value: "keep", label: "Keep it" },
  { value: "foreign", label: "Have one that this policy did not issue" },
  { value: "renew", label: "Are extended" },
  { value: "resume", label: "Get it back" },
  { value: "suspend", label: "Are suspended" },
  { value: "revoke", label: "Are revoked" },
  { value: "grace", label: "Keep it for the days of grace" },
  { value: "blocked", label: "Get none: ended by a person" },
];

/** The filters, each with the number of people that it shows. */
const filtersOf = ({ counts }: Preview) =>
  filters.map(({ value, label }) => ({ value, label: `${label} (${count(counts[value])})` }));

/** Shows what a run would do now and to whom, with the button that starts it. */
export function PreviewPanel({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [action, setAction] = useState<Action | null>(null);
  const [isAsked, setAsked] = useState(false);
  const at = usePage(10);
  const query = useQuery(
    trpc.policies.preview.queryOptions(
      { id: policy.id, ...at.range, ...(action && { actions: [action] }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const apply = useAction(trpc.policies.applyNow.mutationOptions(), { onDone: () => setAsked(false) });
  const plan = query.data;
  const isBusy = policy.lastRun !== null && isUnderWay(policy.lastRun);
  return (
    <Panel
      flush
      title="If it ran now"
      description="Nothing is written until you apply it."
      actions={
        can("policies:apply") &&
        policy.status !== "paused" && (
          <Button
            variant={policy.status === "halted" ? "outline" : "primary"}
            isDisabled={!plan || isBusy}
            onPress={() => setAsked(true)}
          >
            <Play aria-hidden="true" /> Apply
          </Button>
        )
      }
    >
      {plan && (
        <div className="space-y-4 border-b border-separator px-4 py-4 sm:px-5">
          <p className="text-[0.8125rem]" role="status">
            {summaryOf(plan)}
          </p>
          <Radius {...plan.blastRadius} />
        </div>
      )}
      <div className="px-4 py-3 sm:px-5">
        <Filter<Action>
          label="What changes"
          any="All changes"
          value={action}
          onChange={setAction}
          options={plan ? filtersOf(plan) : filters}
        />
      </div>
      <DataTable
        label="People"
        columns={columns}
        query={query}
        rowKey={(person) => person.subjectId}
        href={(person) => `/policies/${policy.id}/why/${person.subjectId}`}
        empty={<Empty icon={Users} title={action ? "Nobody" : "Nothing would change"} />}
      />
      <Pager at={at} total={plan?.total} isPlaceholder={query.isPlaceholderData} noun={["person", "people"]} />
      {plan && (
        <Confirm
          isOpen={isAsked}
          onOpenChange={() => setAsked(false)}
          title={plan.halt ? "Run it, and let it wait for an approval?" : "Apply this policy?"}
          confirm="Apply"
          tone={plan.blastRadius.affected > 0 ? "danger" : "primary"}
          isPending={apply.isPending}
          problem={apply.problem}
          onConfirm={() => apply.run({ id: policy.id, planHash: plan.planHash })}
        >
          <p>
            {plan.halt ? `${plan.halt.message} The run changes nothing, and tells owners and admins.` : summaryOf(plan)}
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
