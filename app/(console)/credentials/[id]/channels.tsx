"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";

type Channel = RouterOutputs["credentials"]["channels"]["data"][number];

const words: Record<Channel["status"], string> = {
  pending: "Waiting",
  provisioned: "Sent",
  installed: "On the phone",
  removed: "Removed",
  failed: "Not sent",
};

// Nothing is sent after the credential has ended.
const isSent = ({ state }: { state: string }) => state === "active" || state === "pending";

/** The state of a wallet pass that was made but is on no phone yet. */
const walletWords: Record<Channel["status"], string> = {
  ...words,
  provisioned: "Not added yet",
  failed: "Not reached",
};

const wallets: Record<Exclude<Channel["type"], "email">, string> = {
  apple_wallet: "Apple Wallet",
  google_wallet: "Google Wallet",
};

/** Where the credential was sent and which phones hold it, with the result. Renders nothing if it was sent nowhere. */
export function Channels({ credential }: { credential: { id: string; state: string; channels: unknown[] } }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.credentials.channels.queryOptions(
      { id: credential.id },
      {
        enabled: credential.channels.length > 0,
        // A waiting message is sent within seconds.
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
                {channel.type === "email" ? <bdi>{channel.address}</bdi> : wallets[channel.type]}
              </span>
              {channel.type !== "email" && channel.address && (
                <span className="text-xs text-muted">
                  phone <span className="font-mono">{channel.address.slice(0, 4)}</span>
                </span>
              )}
              <Status
                of={channel.type === "email" || channel.status !== "provisioned" ? channel.status : "pending"}
                label={
                  channel.type === "email" && channel.status === "pending" && !isSent(credential)
                    ? words.failed
                    : (channel.type === "email" ? words : walletWords)[channel.status]
                }
              />
              <span className="ms-auto text-xs text-muted">
                <Time
                  at={channel.type === "email" ? (channel.provisionedAt ?? channel.updatedAt) : channel.updatedAt}
                />
              </span>
            </p>
            {channel.error && <p className="mt-1 text-pretty text-muted">{channel.error}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
