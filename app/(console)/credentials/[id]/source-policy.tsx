"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { useSession } from "../../_shell/session";

/** The policy that a credential belongs to, and why its holder has it. */
export function SourcePolicy({ id, subjectId }: { id: string; subjectId: string }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data, isError } = useQuery(
    trpc.policies.get.queryOptions({ id }, { enabled: can("policies:read"), retry: false }),
  );
  if (!data) return isError ? "A policy that was deleted since" : "Policy";
  return (
    <>
      <Link href={`/policies/${id}`} className="underline">
        Policy <bdi>{data.name}</bdi>
      </Link>
      {can("subjects:read") && (
        <>
          {" · "}
          <Link href={`/policies/${id}/why/${subjectId}`} className="underline">
            Why?
          </Link>
        </>
      )}
    </>
  );
}
