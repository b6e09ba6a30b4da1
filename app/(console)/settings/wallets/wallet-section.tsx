"use client";
import type { ReactNode } from "react";
import { Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { WalletName } from "@/server/wallets/wallet-names";
import { walletNames } from "@/server/wallets/wallet-names";
import { useSession } from "../../_shell/session";

interface Props<Settings> {
  wallet: WalletName;
  query: { data: Settings | undefined; error: unknown; refetch(): unknown };
  /** The facts of the current settings. */
  facts(settings: Settings): ReactNode;
  /** The button that removes the settings. */
  remove(settings: Settings): ReactNode;
  form(settings: Settings): ReactNode;
  /** The prerequisites, which are shown above the form. */
  need: string;
  /** The title of the form if the wallet is configured already. */
  replace: string;
}

/** The settings of a wallet: its current problem, the stored facts, and the form to set or replace them. */
export function WalletSection<Settings extends { configured: boolean; problem: string | null }>({
  wallet,
  query,
  facts,
  remove,
  form,
  need,
  replace,
}: Props<Settings>) {
  const { can } = useSession();
  const write = can("settings:write");
  const name = walletNames[wallet];
  const settings = query.data;
  if (!settings)
    return (
      <Panel>
        {query.error ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonLines lines={6} />
        )}
      </Panel>
    );
  return (
    <>
      {settings.problem && (
        <Notice tone="warning" title={`Passes in ${name} are not updated`}>
          {settings.problem}
        </Notice>
      )}
      {settings.configured && (
        <Panel
          title={name}
          description={`Templates that offer ${name} show a button on the public page of each credential.`}
          actions={write && remove(settings)}
        >
          <Facts>{facts(settings)}</Facts>
        </Panel>
      )}
      <Panel title={settings.configured ? replace : `Set up ${name}`} description={need}>
        {write ? form(settings) : <p className="text-xs text-muted">Admins and owners can enter it.</p>}
      </Panel>
    </>
  );
}
