"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AppWindow, Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { useSession } from "../../_shell/session";
import { KeyTabs } from "../key-tabs";
import { ClientPanel } from "./client-panel";
import { NewClientDialog } from "./new-client-dialog";

export function OAuthClientList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const at = usePage(10);
  const query = useQuery(trpc.access.oauthClients.list.queryOptions(at.range, { placeholderData: keepPreviousData }));
  const [creating, setCreating] = useState(false);
  const create = can("keys:write") && (
    <Button onPress={() => setCreating(true)}>
      <Plus aria-hidden="true" /> New OAuth client
    </Button>
  );
  return (
    <>
      <PageHeader
        title="OAuth clients"
        description="A client exchanges its id and secret for an access token that lives 15 minutes, so that a leaked token ends by itself."
        actions={create}
      />
      <KeyTabs />
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Panel>
          <SkeletonLines lines={5} />
        </Panel>
      ) : (
        <div className="space-y-4">
          {query.data.data.map((client) => (
            <ClientPanel key={client.id} client={client} />
          ))}
          {query.data.data.length === 0 && !query.data.total && (
            <div className="rounded-xl border bg-surface">
              <Empty icon={AppWindow} title="No OAuth clients yet" action={create}>
                For systems that speak OAuth 2.0 client credentials. Where in doubt, an API key is simpler.
              </Empty>
            </div>
          )}
          {((query.data.total ?? 0) > at.size || at.page > 1) && (
            <Pager
              at={at}
              total={query.data.total}
              isPlaceholder={query.isPlaceholderData}
              noun={["client", "clients"]}
            />
          )}
        </div>
      )}
      <NewClientDialog isOpen={creating} onOpenChange={setCreating} />
    </>
  );
}
