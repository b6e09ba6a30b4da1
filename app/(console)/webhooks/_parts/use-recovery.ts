"use client";
import { useEffect, useRef, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPCClient } from "@/components/trpc/client";

interface Request {
  what: "recover" | "replayMissing";
  endpointIds: string[];
  since: string;
}

/**
 * Recovers one endpoint after the other, each in as many calls as it needs, and reports how many deliveries are sent.
 * Stops when the calling component is closed.
 */
export function useRecovery(onDone: () => void) {
  const client = useTRPCClient();
  const [queued, setQueued] = useState(0);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => void (closed.current = true);
  }, []);
  const action = useAction(
    {
      async mutationFn({ what, endpointIds, since }: Request) {
        let sum = 0;
        setQueued(0);
        for (const id of endpointIds) {
          for (let more = true; more && !closed.current; ) {
            const answer = await client.webhooks.endpoints[what].mutate({ id, since });
            setQueued((sum += answer.queued));
            more = answer.more;
          }
        }
        return sum;
      },
    },
    {
      done: (sum) =>
        sum === 0
          ? "There was nothing to send"
          : `${sum.toLocaleString("en")} ${sum === 1 ? "delivery is" : "deliveries are"} sent now`,
      onDone,
    },
  );
  return { ...action, queued };
}
