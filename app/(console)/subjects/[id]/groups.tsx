"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { originOf } from "../../groups/kinds";

const shown = 100;

/** The groups that a person is in. */
export function Groups({ subjectId }: { subjectId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.groups.ofSubject.queryOptions({ id: subjectId, limit: shown }));
  if (!data) return null;
  return (
    <Panel title="Groups">
      {data.data.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">In no group.</p>
      ) : (
        <ul className="space-y-1.5 text-[0.8125rem]">
          {data.data.map((group) => (
            <li key={group.id} className="flex items-baseline justify-between gap-3">
              <Link href={`/groups/${group.id}`} className="min-w-0 font-medium break-words hover:underline">
                <bdi>{group.name}</bdi>
              </Link>
              <span className="max-w-1/2 truncate text-xs text-muted" title={originOf(group)}>
                <bdi>{originOf(group)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
      {data.nextCursor && <p className="mt-2 text-xs text-muted">The newest {shown} groups are shown.</p>}
    </Panel>
  );
}
