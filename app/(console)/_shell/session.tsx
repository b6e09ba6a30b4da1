"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { hasUnsaved } from "@/components/console/unsaved";
import { toSignIn } from "@/components/trpc/query-client";
import { showOrganisation, useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { RegionProvider } from "@/components/ui/region";
import { Seal } from "@/components/logo";
import type { Scope } from "@/server/core/scopes";
import type { RouterOutputs } from "@/server/trpc/root";
import { NoOrganisation } from "./no-organisation";
import { SecondFactorDue } from "./second-factor-due";

type Live = NonNullable<RouterOutputs["session"]["get"]>;

export interface Session {
  user: Live["user"];
  memberships: Live["memberships"];
  /** The organisation whose data is shown, and what the reader may do there. */
  current: NonNullable<Live["current"]>;
  can(scope: Scope): boolean;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession outside of the console's layout");
  return session;
}

/** Shows its children to people who have signed in; leads other people to the sign-in page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 60_000 }));
  useEffect(() => {
    if (data === null) toSignIn();
  }, [data]);
  const session = useKept(
    data === null,
    useMemo(() => (data?.current && !data.current.suspended ? toSession(data, data.current) : null), [data]),
  );
  useEffect(() => {
    if (session) showOrganisation(session.current.orgId);
  }, [session]);
  const [held, hold] = useState(false);
  if (data?.current && !data.current.suspended && (data.secondFactor.isDue || held)) {
    return (
      <SecondFactorDue
        organisation={data.current}
        others={data.memberships.filter((m) => m.orgId !== data.current!.orgId)}
        onHold={hold}
      />
    );
  }
  if (session)
    return (
      <SessionContext value={session}>
        <RegionProvider region={session.current}>{children}</RegionProvider>
      </SessionContext>
    );
  if (data) return <NoOrganisation email={data.user.email} memberships={data.memberships} suspended={data.current} />;
  if (error)
    return (
      <Centred>
        <Failure error={error} onRetry={() => void refetch()} />
      </Centred>
    );
  return (
    <Centred>
      <span role="status" aria-label="Loading">
        <Seal className="size-9 animate-pulse" />
      </span>
    </Centred>
  );
}

/**
 * The session. If it ended while a form holds unsaved text, the earlier session is returned, so that the form stays.
 */
function useKept(ended: boolean, session: Session | null | undefined): Session | null | undefined {
  const [kept, keep] = useState(session);
  if (session && session !== kept) keep(session);
  return ended && hasUnsaved() ? kept : session;
}

function toSession({ user, memberships, scopes }: Live, current: NonNullable<Live["current"]>): Session {
  const held = new Set<string>(scopes);
  return { user, memberships, current, can: (scope) => held.has(scope) };
}

function Centred({ children }: { children: ReactNode }) {
  return <div className="grid min-h-dvh place-items-center">{children}</div>;
}
