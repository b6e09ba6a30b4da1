"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { CredentialView } from "@/server/credentials/view";
import { useSession } from "../../_shell/session";

/** Warns that the policy of a credential ends it again with its next run, because its holder does not match. */
export function EndsAgain({ credential: { source, subjectId } }: { credential: CredentialView }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const id = source.type === "policy" ? source.id : null;
  const enabled = id !== null && can("policies:read") && can("subjects:read");
  const policy = useQuery(trpc.policies.get.queryOptions({ id: id ?? "" }, { enabled, retry: false })).data;
  const outcome = useQuery(
    trpc.policies.explain.queryOptions(
      { id: id ?? "", subjectId },
      { enabled: enabled && Boolean(policy), retry: false },
    ),
  ).data;
  if (!policy || !outcome || outcome.wanted || policy.onExit === "none") return null;
  return (
    <Notice tone="warning" title={`The policy ${policy.name} ends it again`}>
      <p>
        The person does not match the policy, so its next run {policy.onExit === "revoke" ? "revokes" : "suspends"} the
        credential{policy.graceDays > 0 && ", once the days of grace are over"}. For the person to keep it, first{" "}
        <Link href={`/policies/${policy.id}`} className="underline">
          add an exception to the policy
        </Link>
        .
      </p>
    </Notice>
  );
}
