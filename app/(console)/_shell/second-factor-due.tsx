"use client";
import { Button } from "@heroui/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, ShieldCheck, Smartphone } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import type { RouterOutputs } from "@/server/trpc/root";
import { AppDialog } from "../settings/account/security/app-dialog";
import { PasskeyDialog } from "../settings/account/security/passkey-dialog";
import { enterOrganisation, leave } from "./sign-out";

type Membership = NonNullable<RouterOutputs["session"]["get"]>["memberships"][number];

interface Props {
  organisation: Membership;
  /** The reader's other organisations. */
  others: Membership[];
  /** Stays while a dialog is open: its recovery codes must not vanish as soon as the second factor is set up. */
  onHold(held: boolean): void;
}

/** Replaces the console for a person without a second factor whose organisation requires one. */
export function SecondFactorDue({ organisation, others, onHold }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.secondFactor.list.queryOptions());
  const [asked, setAsked] = useState<"app" | "passkey" | null>(null);
  const ask = (what: "app" | "passkey") => {
    onHold(true);
    setAsked(what);
  };
  const close = () => {
    setAsked(null);
    onHold(false);
    void queries.invalidateQueries();
  };
  const Dialog = asked === "app" ? AppDialog : PasskeyDialog;
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={ShieldCheck}
        title="Set up a second factor"
        action={
          <div className="flex w-64 flex-col gap-2">
            <Button fullWidth onPress={() => ask("app")}>
              <Smartphone aria-hidden="true" /> Use an authenticator app
            </Button>
            <Button fullWidth variant="outline" onPress={() => ask("passkey")}>
              <KeyRound aria-hidden="true" /> Use a passkey
            </Button>
            {others.map((m) => (
              <Button key={m.orgId} fullWidth variant="ghost" onPress={() => void enterOrganisation(m.orgId)}>
                Go to {m.name}
              </Button>
            ))}
            <Button fullWidth variant="ghost" onPress={() => void leave()}>
              Sign out
            </Button>
          </div>
        }
      >
        {organisation.name} requires one from everyone. It takes a minute, and then you can go on.
      </Empty>
      {asked && data && <Dialog hasPassword={data.hasPassword} onClose={close} />}
    </main>
  );
}
