"use client";
import { Button } from "@heroui/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { leave } from "../../_shell/sign-out";
import { browserName } from "./browser-name";

type Session = RouterOutputs["session"]["list"][number];

/** Lists the reader's sessions, each with a button to end it. */
export function Sessions({ email }: { email: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = useQuery(trpc.session.list.queryOptions());
  const [asked, setAsked] = useState<"others" | "all" | null>(null);
  const listAgain = () => void queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
  const endOthers = useAction(trpc.session.endOthers.mutationOptions(), {
    done: ({ ended }) => (ended === 1 ? "Session ended" : `${ended} sessions ended`),
    onDone: () => {
      setAsked(null);
      listAgain();
    },
  });
  const endAll = useAction(trpc.session.endAll.mutationOptions(), { onDone: () => void leave() });
  const others = query.data?.filter((session) => !session.isCurrent).length ?? 0;
  return (
    <Panel
      title="Sessions"
      description={`Browsers that are signed in as ${email}. Each signs in again after a day, or after 12 hours without use.`}
      actions={
        others > 0 && (
          <Button variant="danger-soft" onPress={() => setAsked("others")}>
            End all others
          </Button>
        )
      }
    >
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ul className="divide-y" aria-busy={query.isPending}>
          {query.data?.map((session) => (
            <Row
              key={session.id}
              session={session}
              isPending={endOthers.isPending}
              onEnd={() => (session.isCurrent ? void leave() : endOthers.run({ id: session.id }))}
            />
          ))}
        </ul>
      )}
      {endOthers.problem && asked === null && (
        <p role="alert" className="mt-2 text-[0.8125rem] text-danger-soft-foreground">
          {endOthers.problem.detail}
        </p>
      )}
      <p className="mt-3 border-t pt-3 text-[0.8125rem] text-pretty text-muted">
        Do you not know one of these? End it and change your password.{" "}
        <button
          type="button"
          className="font-medium text-foreground underline-offset-2 hover:underline"
          onClick={() => setAsked("all")}
        >
          Sign out everywhere, here too
        </button>
      </p>
      <Confirm
        isOpen={asked === "others"}
        onOpenChange={() => setAsked(null)}
        title="End all other sessions?"
        confirm="End all others"
        isPending={endOthers.isPending}
        problem={endOthers.problem}
        onConfirm={() => endOthers.run({})}
      >
        <p>
          {others === 1 ? "The other browser" : `The other ${others} browsers`} must sign in again. This one stays
          signed in. API keys and OAuth clients go on working.
        </p>
      </Confirm>
      <Confirm
        isOpen={asked === "all"}
        onOpenChange={() => setAsked(null)}
        title="End all sessions?"
        confirm="End all sessions"
        isPending={endAll.isPending || endAll.isDone}
        problem={endAll.problem}
        onConfirm={() => endAll.run(undefined)}
      >
        <p>
          You are signed out on all devices, <strong className="font-semibold">this one too</strong>, and sign in again
          with your password. API keys and OAuth clients go on working.
        </p>
      </Confirm>
    </Panel>
  );
}

function Row({ session, isPending, onEnd }: { session: Session; isPending: boolean; onEnd(): void }) {
  const name = browserName(session.userAgent);
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <MonitorSmartphone className="size-4 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-[0.8125rem]">
        <p className="font-medium" title={session.userAgent}>
          {name}
          {session.isCurrent && <span className="font-normal text-muted"> (this browser)</span>}
        </p>
        <p className="text-xs text-muted">
          <bdi>{session.address}</bdi> · last used <Time at={session.lastSeenAt} />
          <span className="max-sm:hidden"> · </span>
          <span className="max-sm:block">
            signed in <Time at={session.createdAt} as="exact" />
          </span>
        </p>
      </div>
      <Button
        size="sm"
        variant="outline"
        isDisabled={isPending}
        aria-label={session.isCurrent ? "Sign out here" : `End the session in ${name} from ${session.address}`}
        onPress={onEnd}
      >
        {session.isCurrent ? "Sign out" : "End"}
      </Button>
    </li>
  );
}
