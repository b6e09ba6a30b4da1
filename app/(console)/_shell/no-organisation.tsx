"use client";
import { Button } from "@heroui/react";
import { Building2 } from "lucide-react";
import { Empty } from "@/components/ui/empty";
import type { MembershipOf } from "@/server/access/memberships";
import { enterOrganisation, leave } from "./sign-out";

/** For someone who was removed from the organisation they worked in. */
export function NoOrganisation({ email, memberships }: { email: string; memberships: MembershipOf[] }) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={Building2}
        title={memberships.length > 0 ? "Choose an organisation" : "You belong to no organisation"}
        action={
          <>
            {memberships.map((m) => (
              <Button key={m.orgId} variant="outline" onPress={() => void enterOrganisation(m.orgId)}>{m.name}</Button>
            ))}
            <Button variant="ghost" onPress={() => void leave()}>Sign out</Button>
          </>
        }
      >
        {memberships.length > 0 ? `${email} is not a member of the last one any more.` : `Ask an owner to invite ${email}.`}
      </Empty>
    </main>
  );
}
