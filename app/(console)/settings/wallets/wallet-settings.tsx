"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { SettingsTabs } from "../settings-tabs";
import { AppleForm } from "./apple-form";
import { RemoveApple } from "./remove-apple";

type AppleSettings = RouterOutputs["wallets"]["apple"];

/** What the organisation needs so that people can keep their credentials on their phones. */
export function WalletSettings() {
  const trpc = useTRPC();
  const query = useQuery(trpc.wallets.apple.queryOptions({}));
  return (
    <>
      <PageHeader
        title="Settings"
        description="With these, people keep their credentials in the wallet of their phone, where they follow each change."
      />
      <SettingsTabs />
      <div className="max-w-3xl space-y-5">
        {query.data ? (
          <Apple settings={query.data} />
        ) : (
          <Panel>
            {query.error ? (
              <Failure error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <SkeletonLines lines={6} />
            )}
          </Panel>
        )}
      </div>
    </>
  );
}

function Apple({ settings }: { settings: AppleSettings }) {
  const { can } = useSession();
  const write = can("settings:write");
  return (
    <>
      {settings.problem && (
        <Notice tone="warning" title="Passes in Apple Wallet are not updated">
          {settings.problem}
        </Notice>
      )}
      {settings.configured && (
        <Panel
          title="Apple Wallet"
          description="Templates that offer Apple Wallet show a button on the public page of each credential."
          actions={write && <RemoveApple passTypeId={settings.passTypeId!} />}
        >
          <Facts>
            <Fact name="Pass type">
              <Copyable text={settings.passTypeId!} what="pass type" />
            </Fact>
            <Fact name="Team">
              <Copyable text={settings.teamId!} what="team" />
            </Fact>
            <Fact name="Certificate ends">
              <Time at={settings.certificateExpiresAt} as="date" />
              <p className="text-xs text-muted">
                Enter a new one of the same pass type before that day. Passes in wallets stay, but cannot change without
                it.
              </p>
            </Fact>
            <Fact name="Apple's own certificate ends">
              <Time at={settings.wwdrExpiresAt} as="date" />
            </Fact>
          </Facts>
        </Panel>
      )}
      <Panel
        title={settings.configured ? "Replace the certificate" : "Set up Apple Wallet"}
        description="You need a membership of the Apple Developer Program, and three files."
      >
        {write ? (
          <AppleForm settings={settings} />
        ) : (
          <p className="text-xs text-muted">Admins and owners can enter it.</p>
        )}
      </Panel>
    </>
  );
}
