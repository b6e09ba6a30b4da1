"use client";
import { useQuery } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SidePanel } from "@/components/ui/side-panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { MessageTabs } from "../message-tabs";

type Alert = RouterOutputs["messages"]["alerts"]["data"][number];

const stateWords: Record<Alert["state"], { of: string; label: string }> = {
  pending: { of: "pending", label: "Waiting" },
  sent: { of: "provisioned", label: "Sent by e-mail" },
  failed: { of: "failed", label: "Not delivered" },
  unsent: { of: "cancelled", label: "Not sent by e-mail" },
};

const column = columnsOf<Alert>();
const columns = column.columns([
  column.accessor("subject", {
    header: "Alert",
    meta: { phone: "title" },
    cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
  }),
  column.accessor("state", { header: "State", cell: ({ getValue }) => <Status {...stateWords[getValue()]} /> }),
  column.accessor("createdAt", {
    header: "When",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

const keyOf = ({ kind, path, createdAt }: Alert) => `${kind} ${path} ${createdAt}`;

/** What an owner or admin was told, or would have been told by e-mail if there were a mail server. */
export function AlertList() {
  const trpc = useTRPC();
  const query = useQuery(trpc.messages.alerts.queryOptions({}, { refetchInterval: 30_000 }));
  const [opened, open] = useState<Alert>();
  const isUnsent = query.data?.data.some(({ state }) => state === "unsent");
  return (
    <>
      <PageHeader
        title="Messages"
        description="What you are told as an owner or admin: files and policies that wait for an approval, and what fails. The newest 100 of 30 days."
      />
      <MessageTabs />
      {isUnsent && (
        <Notice
          tone="info"
          className="mb-4"
          action={
            <Link href="/settings/account" className="font-medium underline">
              Your account
            </Link>
          }
        >
          Some alerts were not sent by e-mail, because no mail server was configured or your address was not confirmed.
          They are not sent later.
        </Notice>
      )}
      <ListFrame>
        <DataTable
          label="Alerts to you"
          columns={columns}
          query={query}
          rowKey={keyOf}
          onOpen={open}
          empty={
            <Empty icon={BellOff} title="No alerts">
              You are told here, and by e-mail where a mail server is configured, when something waits for you or fails.
            </Empty>
          }
        />
      </ListFrame>
      <SidePanel
        isOpen={opened !== undefined}
        onOpenChange={(isOpen) => !isOpen && open(undefined)}
        title={opened && <bdi>{opened.subject}</bdi>}
        description={opened && <Time at={opened.createdAt} as="exact" />}
      >
        {opened && (
          <div className="space-y-5">
            <Status {...stateWords[opened.state]} />
            <p className="text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-line">{opened.text}</p>
            <p className="text-xs text-pretty text-muted">
              This was true when the alert was made. Somebody may have acted since.
            </p>
            <ButtonLink href={opened.path}>Open it</ButtonLink>
          </div>
        )}
      </SidePanel>
    </>
  );
}
