"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Fact, Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { roleWords } from "../../members/roles";
import { OwnInvitations } from "../../_shell/own-invitations";
import { useSession } from "../../_shell/session";
import { SettingsTabs } from "../settings-tabs";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";
import { SecurityPanel } from "./security/security-panel";

/** The settings of the reader's account, which apply in all of their organisations. */
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
            <Fact name="E-mail">
              <Email />
            </Fact>
            {memberships.map((m) => (
              <Fact key={m.orgId} name={m.name}>
                {roleWords[m.role].label}
              </Fact>
            ))}
          </Facts>
          <OwnInvitations className="mt-4" />
        </Panel>
        <Panel title="Password" description="Saving a new one signs you out on every other device.">
          <PasswordForm />
        </Panel>
        <SecurityPanel />
        <Sessions email={user.email} />
      </div>
    </>
  );
}

/** The address, and whether it is verified. */
function Email() {
  const { user } = useSession();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.secondFactor.list.queryOptions());
  const send = useAction(trpc.session.requestEmailVerification.mutationOptions(), {
    done: `Link sent to ${user.email}`,
    loud: true,
  });
  if (!data || data.emailVerified) return user.email;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {user.email}
      {data.mailConfigured && (
        <>
          <Status of="paused" label="Not verified" />
          <Button size="sm" variant="outline" onPress={() => send.run(undefined)} isPending={send.isPending}>
            Send a link to verify it
          </Button>
          <span className="basis-full text-xs text-muted">
            Until then you get no e-mail: no link for a new password, and no warning about webhooks.
          </span>
        </>
      )}
    </span>
  );
}
