"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { useSession } from "../../_shell/session";

/** Says that the last message to the person's present address bounced. */
export function Bounced({ subject: { id, email } }: { subject: { id: string; email: string | null } }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(
    trpc.messages.list.queryOptions(
      { subjectId: id, state: "sent,bounced", limit: 1 },
      { enabled: email !== null && can("credentials:read") },
    ),
  );
  const [last] = data?.data ?? [];
  if (last?.state !== "bounced" || last.to?.toLowerCase() !== email?.toLowerCase()) return null;
  return (
    <Notice
      tone="warning"
      title={
        <>
          Mail to <bdi>{email}</bdi> bounced <Time at={last.updatedAt} />
        </>
      }
      action={
        <Link href={`/messages?person=${id}`} className="font-medium hover:underline">
          View messages
        </Link>
      }
      className="mb-5"
    >
      {last.error} Correct the address, then send the message again.
    </Notice>
  );
}
