"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { RotateCw, SearchX } from "lucide-react";
import { useAction } from "@/components/console/use-action";
import { problemOf } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Empty } from "@/components/ui/empty";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { SidePanel } from "@/components/ui/side-panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time, useNow } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { Attempts } from "./attempts";
import { Body } from "./body";
import { eventWords } from "../../events/words";
import { DeliveryStatus } from "./delivery-status";
import { useEndpointName } from "./endpoint-names";

type Delivery = RouterOutputs["webhooks"]["deliveries"]["get"];

/**
 * Shows a delivery in a panel: the request, each attempt, and the time of the next. Polls while the delivery is in
 * progress.
 */
export function DeliveryPanel({ id, onClose }: { id: string | null; onClose(): void }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.deliveries.get.queryOptions(
      { id: id ?? "" },
      { enabled: id !== null, refetchInterval: ({ state }) => (state.data?.status === "pending" ? 2_000 : false) },
    ),
  );
  const delivery = id === query.data?.id ? query.data : undefined;
  return (
    <SidePanel
      isOpen={id !== null}
      onOpenChange={(open) => !open && onClose()}
      title={delivery ? eventWords(delivery.eventType) : "Delivery"}
      description={
        delivery && (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <DeliveryStatus delivery={delivery} /> <code className="font-mono text-xs">{delivery.eventType}</code>
          </span>
        )
      }
      actions={delivery && <Resend delivery={delivery} />}
    >
      {delivery ? (
        <Detail delivery={delivery} />
      ) : query.error && problemOf(query.error).status === 404 ? (
        <Gone />
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonLines lines={10} />
      )}
    </SidePanel>
  );
}

function Gone() {
  return (
    <Empty icon={SearchX} title="There is no such delivery">
      Deliveries are kept for 30 days longer than events. This one has expired, or the link is of another organisation.
    </Empty>
  );
}

function Resend({ delivery }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const action = useAction(trpc.webhooks.deliveries.resend.mutationOptions(), { done: "Sent again", loud: true });
  if (!can("webhooks:write") || delivery.status === "cancelled") return null;
  return (
    <Button variant="outline" isPending={action.isPending} onPress={() => action.run({ id: delivery.id })}>
      <RotateCw aria-hidden="true" /> Resend
    </Button>
  );
}

const triggers: Record<Delivery["trigger"], string> = {
  event: "The event",
  resend: "Resent by hand",
  recover: "Recovered",
  replay: "Replayed",
  test: "A test",
};

function Detail({ delivery }: { delivery: Delivery }) {
  const endpoint = useEndpointName()(delivery.endpointId);
  const test = delivery.trigger === "test";
  return (
    <div className="space-y-6">
      <Facts>
        <Fact name="Delivery id">
          <Copyable text={delivery.id} what="delivery id" />
        </Fact>
        <Fact name="Event">
          {test ? (
            <Copyable text={delivery.eventId} what="event id" />
          ) : (
            <Link href={`/events?event=${delivery.eventId}`} className="font-mono text-xs hover:underline">
              {delivery.eventId}
            </Link>
          )}
        </Fact>
        <Fact name="Endpoint">
          {endpoint?.href ? (
            <Link href={endpoint.href} className="font-medium hover:underline">
              {endpoint.name}
            </Link>
          ) : (
            (endpoint?.name ?? "…")
          )}
        </Fact>
        <Fact name="Begun by">{triggers[delivery.trigger]}</Fact>
        <Fact name="Made">
          <Time at={delivery.createdAt} as="exact" />
        </Fact>
        {delivery.status === "pending" && (
          <Fact name="Next try">
            {endpoint?.isPaused ? "When the endpoint is enabled" : <NextTry at={delivery.nextAttemptAt} />}
          </Fact>
        )}
        {delivery.completedAt && (
          <Fact name="Ended">
            <Time at={delivery.completedAt} as="exact" />
          </Fact>
        )}
      </Facts>
      <section>
        <h3 className="mb-2 text-[0.8125rem] font-semibold">Attempts</h3>
        <Attempts deliveryId={delivery.id} made={delivery.attemptCount} live={delivery.status === "pending"} />
      </section>
      <section>
        <h3 className="mb-2 text-[0.8125rem] font-semibold">Body</h3>
        {delivery.body === null ? (
          <p className="text-[0.8125rem] text-muted">The event has expired, and its content with it.</p>
        ) : (
          <Body text={delivery.body} what="body" />
        )}
      </section>
    </div>
  );
}

function NextTry({ at }: { at: string | null }) {
  const now = useNow(1);
  if (!at) return <span className="text-muted">Waiting</span>;
  const seconds = Math.round((Date.parse(at) - (now || Date.now())) / 1000);
  if (seconds <= 0) return <>now</>;
  if (seconds < 120) return <span className="tabular-nums">in {seconds} s</span>;
  return (
    <>
      <Time at={at} />{" "}
      <span className="text-muted">
        (<Time at={at} as="exact" />)
      </span>
    </>
  );
}
