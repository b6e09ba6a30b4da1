"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CreditCard, Plus } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import type { CredentialView } from "@/server/credentials/view";
import { TemplateName } from "../../templates/template-name";

const column = columnsOf<CredentialView>();
const columns = column.columns([
  column.accessor("templateId", {
    header: "Template",
    meta: { phone: "title" },
    cell: ({ getValue }) => <TemplateName id={getValue()} />,
  }),
  column.accessor("state", { header: "State", cell: ({ getValue }) => <Status of={getValue()} /> }),
  column.accessor("issuedAt", {
    header: "Issued",
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} as="date" />
      </span>
    ),
  }),
  column.accessor("expiresAt", {
    header: "Valid through",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <LastDay end={getValue()} absent="No end" />
      </span>
    ),
  }),
]);

interface Props {
  subjectId: string;
  count: number;
  valid: number;
  onIssue: (() => void) | undefined;
}

export function HeldCredentials({ subjectId, count, valid, onIssue }: Props) {
  const trpc = useTRPC();
  const at = usePage();
  const query = useQuery(
    trpc.credentials.list.queryOptions({ subjectId, ...at.range }, { placeholderData: keepPreviousData }),
  );
  return (
    <Panel flush title="Credentials" description={count === 0 ? undefined : `${valid} of ${count} valid now`}>
      <DataTable
        label="Credentials of this person"
        columns={columns}
        query={query}
        rowKey={(c) => c.id}
        href={(c) => `/credentials/${c.id}`}
        empty={
          <Empty
            icon={CreditCard}
            title="No credentials yet"
            action={
              onIssue && (
                <Button onPress={onIssue}>
                  <Plus aria-hidden="true" /> Issue credential
                </Button>
              )
            }
          >
            What is issued to this person appears here, and stays here when it ends.
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["credential", "credentials"]}
      />
    </Panel>
  );
}
