"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleOff, KeyRound, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { RowMenu } from "@/components/ui/row-menu";
import { Status } from "@/components/ui/status";
import { Time, useNow } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useActorNames } from "../_data/names";
import { useSession } from "../_shell/session";
import { KeyDialog } from "./key-dialog";
import { KeyTabs } from "./key-tabs";
import { ScopeSummary } from "./scope-picker";

type ApiKey = RouterOutputs["access"]["apiKeys"]["list"]["data"][number];
const none: ApiKey[] = [];

export function ApiKeyList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage();
  const query = useQuery(trpc.access.apiKeys.list.queryOptions(at.range, { placeholderData: keepPreviousData }));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const nameOf = useActorNames(useMemo(() => (query.data?.data ?? none).map((key) => key.createdBy), [query.data]));
  const now = useNow(60);
  const write = can("keys:write");
  const columns = useMemo(
    () => columnsWith({ nameOf, now, onRevoke: write ? setRevoking : undefined }),
    [nameOf, now, write],
  );
  const create = write && (
    <Button onPress={() => setCreating(true)}>
      <Plus aria-hidden="true" /> New API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="A key acts for this organisation with the scopes it was given. It is shown once, when it is made."
        actions={create}
      />
      <KeyTabs />
      <ListFrame
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["key", "keys"]} />
        }
      >
        <DataTable
          label="API keys"
          columns={columns}
          query={query}
          rowKey={(key) => key.id}
          empty={
            <Empty icon={KeyRound} title="No API keys yet" action={create}>
              Make one to call the API from your systems. Give each system its own, so that one can be revoked without
              the others.
            </Empty>
          }
        />
      </ListFrame>
      <KeyDialog isOpen={creating} onOpenChange={setCreating} />
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

const column = columnsOf<ApiKey>();

function columnsWith({
  nameOf,
  now,
  onRevoke,
}: {
  nameOf(actor: ApiKey["createdBy"]): string;
  now: number;
  onRevoke: ((key: ApiKey) => void) | undefined;
}) {
  return column.columns([
    column.accessor("name", { header: "Name", meta: { phone: "title" } }),
    column.accessor("hint", {
      header: "Key",
      cell: ({ getValue }) => <code className="font-mono text-xs whitespace-nowrap text-muted">{getValue()}</code>,
    }),
    column.accessor("scopes", { header: "Scopes", cell: ({ getValue }) => <ScopeSummary scopes={getValue()} /> }),
    column.accessor("lastUsedAt", {
      header: "Last used",
      cell: ({ getValue }) => (
        <span className="text-muted">
          <Time at={getValue()} absent="Not used yet" />
        </span>
      ),
    }),
    column.accessor("createdAt", {
      header: "Made",
      meta: { wide: true },
      cell: ({ row: { original: key } }) => (
        <span className="text-muted">
          <Time at={key.createdAt} /> by <bdi>{nameOf(key.createdBy)}</bdi>
        </span>
      ),
    }),
    column.display({
      id: "status",
      header: "Status",
      cell: ({ row: { original: key } }) => <KeyStatus apiKey={key} now={now} />,
    }),
    column.display({
      id: "menu",
      header: "",
      meta: { align: "end", phone: "corner" },
      cell: ({ row: { original: key } }) =>
        onRevoke &&
        !key.revokedAt && (
          <RowMenu
            label={`Actions for ${key.name}`}
            actions={[{ id: "revoke", label: "Revoke", icon: CircleOff, danger: true, onAction: () => onRevoke(key) }]}
          />
        ),
    }),
  ]);
}

function KeyStatus({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  if (apiKey.revokedAt) return <Status of="revoked" />;
  if (apiKey.expiresAt && now > 0 && Date.parse(apiKey.expiresAt) <= now) return <Status of="expired" />;
  return (
    <span className="inline-flex items-center gap-2">
      <Status of="active" />
      {apiKey.expiresAt && (
        <span className="text-xs text-muted">
          until <Time at={apiKey.expiresAt} as="date" />
        </span>
      )}
    </span>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const trpc = useTRPC();
  const action = useAction(trpc.access.apiKeys.revoke.mutationOptions(), { done: "API key revoked", onDone: onClose });
  return (
    <Confirm
      isOpen
      onOpenChange={onClose}
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: apiKey.id })}
    >
      <p>
        <strong className="font-semibold">This cannot be undone.</strong> The next request with this key is refused.
      </p>
      <p>
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Time at={apiKey.lastUsedAt} />. Whatever uses it stops working until it has another.
          </>
        ) : (
          "No request has used it so far, so nothing should stop working."
        )}
      </p>
    </Confirm>
  );
}
