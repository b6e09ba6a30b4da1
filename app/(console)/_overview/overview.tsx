"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { PageHeader } from "@/components/ui/page-header";
import { useSession } from "../_shell/session";
import { IssueDialog } from "../credentials/issue-dialog";
import { Alerts } from "./alerts";
import { FirstSteps } from "./first-steps";
import { IssuedChart } from "./issued-chart";
import { RecentEvents } from "./recent-events";
import { StateCounts } from "./state-counts";
import { WebhookHealth } from "./webhook-health";

/** The first page: credentials by state, recent events, and what needs somebody. */
export function Overview() {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [issuing, setIssuing] = useState(false);
  const counts = useQuery(trpc.credentials.counts.queryOptions({}, { refetchInterval: 15_000 }));
  const isNew = counts.data?.total === 0;
  const [events, webhooks] = [can("events:read"), can("webhooks:read") && !isNew];
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          !isNew &&
          can("credentials:issue") && (
            <Button onPress={() => setIssuing(true)}>
              <Plus aria-hidden="true" /> Issue credential
            </Button>
          )
        }
      />
      <div className="space-y-5">
        <Alerts />
        {isNew ? (
          <FirstSteps onIssue={() => setIssuing(true)} />
        ) : (
          <>
            <StateCounts query={counts} />
            <IssuedChart />
          </>
        )}
        <div className={`grid items-start gap-5 ${events && webhooks ? "xl:grid-cols-2" : ""}`}>
          {events && <RecentEvents />}
          {webhooks && <WebhookHealth />}
        </div>
      </div>
      <IssueDialog isOpen={issuing} onOpenChange={setIssuing} onDone={(href) => router.push(href)} />
    </>
  );
}
