"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { roleWords } from "../members/roles";
import { enterOrganisation } from "./sign-out";

/** The reader's open invitations, each with a button to join. Renders nothing if there are none. */
export function OwnInvitations({ className = "" }: { className?: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.session.invitations.queryOptions());
  const action = useAction(trpc.session.acceptInvitation.mutationOptions(), {
    onDone: ({ orgId }) => enterOrganisation(orgId),
    loud: true,
  });
  if (!data || data.length === 0) return null;
  return (
    <ul className={`w-full divide-y divide-separator rounded-lg border text-start text-[0.8125rem] ${className}`}>
      {data.map((each) => (
        <li key={each.id} className="flex items-center gap-4 px-4 py-3">
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{each.organisationName}</bdi>
            <span className="block text-muted">invites you as {roleWords[each.role].label.toLowerCase()}</span>
          </span>
          <Button
            size="sm"
            variant="outline"
            isPending={action.isPending || action.isDone}
            onPress={() => action.run({ id: each.id })}
          >
            Join
          </Button>
        </li>
      ))}
    </ul>
  );
}
