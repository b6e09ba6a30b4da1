"use client";
import { useQuery } from "@tanstack/react-query";
import { Equal } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../../../_shell/session";
import { count } from "../../words";
import { sides } from "./causes";
import { DifferenceList } from "./difference-list";

/** Where a directory and the organisation differ: how many people of each kind, and who they are. */
export function DirectoryDifferences({ id }: { id: string }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data: counts } = useQuery(
    trpc.connectors.driftCounts.queryOptions({ id }, { enabled: can("subjects:read") }),
  );
  if (!can("subjects:read")) return <Empty icon={Equal} title="You may not see people" />;
  const memberships = counts?.memberships ?? 0;
  return (
    <div className="space-y-5">
      {memberships > 0 && (
        <Notice
          tone="warning"
          title={`${memberships === 1 ? "1 removal from a group waits" : `${count(memberships)} removals from groups wait`} for your approval`}
          action={
            <Link href={`/connectors/${id}`} className="font-medium hover:underline">
              View them
            </Link>
          }
        >
          The directory took these people out of groups. Until somebody approves it, they are members here. The lists
          below name people and no memberships.
        </Notice>
      )}
      <nav aria-label="Kinds of differences" className="grid gap-3 sm:grid-cols-3">
        {sides.map(({ side, title, causes }) => (
          <a
            key={side}
            href={`#${side}`}
            className="rounded-xl border bg-surface px-4 py-3 shadow-surface hover:bg-default"
          >
            <span className="block text-xl font-semibold tabular-nums">
              {counts ? count(causes.reduce((sum, cause) => sum + counts[cause], 0)) : "–"}
            </span>
            <span className="text-[0.8125rem] text-muted">{title}</span>
          </a>
        ))}
      </nav>
      {sides.map((words) => (
        <div key={words.side} id={words.side} className="scroll-mt-20">
          <DifferenceList id={id} counts={counts} {...words} />
        </div>
      ))}
    </div>
  );
}
