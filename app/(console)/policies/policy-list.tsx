"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useTemplate } from "../_data/names";
import { useSession } from "../_shell/session";
import { PolicyDialog } from "./policy-dialog";
import { outcomeOf, type ListedPolicy } from "./words";

const column = columnsOf<ListedPolicy>();
const columns = column.columns([
  column.accessor("name", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
  }),
  column.accessor("status", { header: "Status", cell: ({ getValue }) => <Status of={getValue()} /> }),
  column.accessor("templateId", { header: "Template", cell: ({ getValue }) => <TemplateName id={getValue()} /> }),
  column.accessor("lastRun", {
    header: "Last run",
    cell: ({ getValue }) => {
      const run = getValue();
      if (!run) return <span className="text-muted">None yet</span>;
      return (
        <span className="text-muted">
          <Time at={run.createdAt} /> · {outcomeOf(run)}
        </span>
      );
    },
  }),
]);

export function PolicyList() {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const at = usePage();
  const query = useQuery(trpc.policies.list.queryOptions(at.range, { placeholderData: keepPreviousData }));
  const create = can("policies:write") && (
    <Button onPress={() => setOpen(true)}>
      <Plus aria-hidden="true" /> New policy
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Policies"
        description="A policy issues a credential to everyone who matches its rule, and ends it when they no longer do, but never too many at once."
        actions={create}
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["policy", "policies"]}
          />
        }
      >
        <DataTable
          label="Policies"
          columns={columns}
          query={query}
          rowKey={(policy) => policy.id}
          href={(policy) => `/policies/${policy.id}`}
          empty={
            <Empty icon={ShieldCheck} title="No policies yet" action={create}>
              A policy says who is to hold a credential: students of this term, staff with a contract, members who paid.
            </Empty>
          }
        />
      </ListFrame>
      <PolicyDialog isOpen={isOpen} onOpenChange={setOpen} onDone={({ id }) => router.push(`/policies/${id}`)} />
    </>
  );
}

function TemplateName({ id }: { id: string }) {
  const template = useTemplate(id);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <bdi className="text-muted">{template?.name}</bdi>
      {template?.status === "archived" && <Status of="archived" />}
    </span>
  );
}
