"use client";
import { Button } from "@heroui/react";
import { Building2, CirclePause } from "lucide-react";
import { Empty } from "@/components/ui/empty";
import type { RouterOutputs } from "@/server/trpc/root";
import { OwnInvitations } from "./own-invitations";
import { enterOrganisation, leave } from "./sign-out";

type Membership = NonNullable<RouterOutputs["session"]["get"]>["memberships"][number];

interface Props {
  email: string;
  memberships: Membership[];
  /** The organisation that they work in, if it is suspended; null if they were removed from it. */
  suspended: Membership | null;
}

/** Shown to a person who was removed from the organisation that they worked in, or whose organisation is suspended. */
export function NoOrganisation({ email, memberships, suspended }: Props) {
  const others = memberships.filter((m) => !m.suspended);
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={suspended ? CirclePause : Building2}
        title={
          suspended
            ? `${suspended.name} is suspended`
            : others.length > 0
              ? "Choose an organisation"
              : "You belong to no organisation"
        }
        action={
          <>
            <OwnInvitations />
            {others.map((m) => (
              <Button key={m.orgId} variant="outline" onPress={() => void enterOrganisation(m.orgId)}>
                {m.name}
              </Button>
            ))}
            <Button variant="ghost" onPress={() => void leave()}>
              Sign out
            </Button>
          </>
        }
      >
        {suspended
          ? "The operator of this service has suspended this organisation. Nothing was deleted, and its credentials can still be verified. Ask the operator to resume it."
          : others.length > 0
            ? `${email} is not a member of the last one any more.`
            : `You join with an invitation to ${email}. If none is listed here, ask an owner for one.`}
      </Empty>
    </main>
  );
}
