"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";

type Channel = RouterOutputs["credentials"]["channels"]["data"][number];

const words: Record<Channel["status"], string> = { pending: "Waiting", provisioned: "Sent", failed: "Not sent" };

// Nothing is sent once the credential has ended.
const endedWords = { ...words, pending: "Not sent" };
const isSent = ({ state }: { state: string }) => state === "active" || state === "pending";

/** Where the credential was sent, and how it went. Nothing while it was sent nowhere. */
export function Channels({ credential }: { credential: { id: string; state: string; channels: unknown[] } }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.credentials.channels.queryOptions(
      { id: credential.id },
      {
        enabled: credential.channels.length > 0,
        // A message that waits is sent within seconds.
        refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === "pending") ? 3000 : false),
      },
    ),
  );
  if (!query.data?.data.length) return null;
  return (
    <Panel title="Sent to the holder">
      <ul className="divide-y">
        {query.data.data.map((channel) => (
          <li key={channel.id} className="py-2.5 text-[0.8125rem] first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 font-medium break-all">
                <bdi>{channel.address}</bdi>
              </span>
              <Status
                of={channel.status}
                label={isSent(credential) ? words[channel.status] : endedWords[channel.status]}
              />
              <span className="ms-auto text-xs text-muted">
                <Time at={channel.provisionedAt ?? channel.updatedAt} />
              </span>
            </p>
            {channel.error && <p className="mt-1 text-pretty text-muted">{channel.error}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
