"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useSession } from "../_shell/session";

interface Props {
  templateId: string;
  /** The number of the version that is current; null without one. */
  current: number | null;
  /** Whether the version was never published. */
  isDraft: boolean;
}

/** What publishing a version does, to how many credentials. */
export function PublishWords({ templateId, current, isDraft }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(trpc.credentials.counts.queryOptions({ templateId }, { enabled: can("credentials:read") }));
  const live = data && data.states.active + data.states.suspended + data.states.pending;
  return (
    <>
      <p>
        New credentials are issued from it from now on{current !== null && `, in place of version ${current}`}.{" "}
        {isDraft && "A published version cannot be changed; make another one instead."}
      </p>
      <p>{liveWords(live)}</p>
    </>
  );
}

/** @param live how many credentials are active, suspended or not valid yet; undefined while that is not known */
function liveWords(live: number | undefined): string {
  if (live === undefined) return "Credentials that exist keep their design and what it makes public.";
  if (live === 0) return "No live credential of this template exists, so nobody’s card changes.";
  const [who, keep] =
    live === 1 ? ["The live credential", "keeps its"] : [`${live.toLocaleString("en")} live credentials`, "keep their"];
  return `${who} of this template ${keep} design and what it makes public. Reissue a credential to give it the new design.`;
}
