"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../../_shell/session";

/**
 * Says that a directory asked to remove the person, or their membership in a group, and that the removal waits for
 * approval.
 */
export function StagedNotice() {
  const trpc = useTRPC();
  const { can } = useSession();
  const isAllowed = can("connectors:read");
  const { data } = useQuery(trpc.connectors.waitingDirectories.queryOptions({}, { enabled: isAllowed }));
  const only = data?.length === 1 ? data[0] : undefined;
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title="A removal waits for approval"
      action={
        data && (
          <Link href={only ? `/connectors/${only.connectorId}` : "/connectors"} className="font-medium hover:underline">
            View what waits
          </Link>
        )
      }
    >
      A directory deactivated or deleted this person, or took them out of a group. Nothing has changed here yet.
    </Notice>
  );
}
