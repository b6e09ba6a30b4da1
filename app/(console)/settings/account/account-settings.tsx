"use client";
import { Fact, Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { roleWords } from "../../members/roles";
import { useSession } from "../../_shell/session";
import { SettingsTabs } from "../settings-tabs";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";
import { SecurityPanel } from "./security/security-panel";

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
        <SecurityPanel />
        <Sessions email={user.email} />
      </div>
    </>
  );
}
