"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Fact, Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { roleWords } from "../../members/roles";
import { useSession } from "../../_shell/session";
import { leave } from "../../_shell/sign-out";
import { SettingsTabs } from "../settings-tabs";
import { PasswordForm } from "./password-form";

/** What belongs to the reader alone, whichever organisation they work in. */
export function AccountSettings() {
  const { user, memberships } = useSession();
  return (
    <>
      <PageHeader title="Settings" description="Your own account, the same in every organisation that you belong to." />
      <SettingsTabs />
      <div className="max-w-3xl space-y-5">
        <Panel title="You">
          <Facts>
            <Fact name="Name">{user.name && <bdi>{user.name}</bdi>}</Fact>
            <Fact name="E-mail">{user.email}</Fact>
            {memberships.map((m) => <Fact key={m.orgId} name={m.name}>{roleWords[m.role].label}</Fact>)}
          </Facts>
        </Panel>
        <Panel title="Password" description="Saving a new one signs you out on every other device.">
          <PasswordForm />
        </Panel>
        <Sessions email={user.email} />
      </div>
    </>
  );
}

function Sessions({ email }: { email: string }) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState(false);
  const end = useAction(trpc.session.endAll.mutationOptions(), { onDone: () => void leave() });
  return (
    <Panel title="Sessions" description="If a device was lost, or you forgot to sign out of one." actions={<Button variant="danger-soft" onPress={() => setAsked(true)}>End all sessions</Button>}>
      <p className="text-[0.8125rem] text-pretty text-muted">Every browser that is signed in as {email} must sign in again. API keys and OAuth clients go on working.</p>
      <Confirm isOpen={asked} onOpenChange={setAsked} title="End all sessions?" confirm="End all sessions" isPending={end.isPending || end.isDone} problem={end.problem} onConfirm={() => end.run(undefined)}>
        <p>You are signed out on all devices, <strong className="font-semibold">this one too</strong>, and sign in again with your password.</p>
      </Confirm>
    </Panel>
  );
}
