"use client";
import { useQuery } from "@tanstack/react-query";
import { AskFirst } from "@/components/console/ask-first";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact } from "@/components/ui/facts";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { AppleForm } from "./apple-form";
import { WalletSection } from "./wallet-section";

type AppleSettings = RouterOutputs["wallets"]["apple"];

/** The settings of Apple Wallet. */
export function AppleWallet() {
  const trpc = useTRPC();
  return (
    <WalletSection<AppleSettings>
      wallet="apple"
      query={useQuery(trpc.wallets.apple.queryOptions({}))}
      need="You need a membership of the Apple Developer Program, and three files."
      replace="Replace the certificate of Apple Wallet"
      facts={(settings) => <AppleFacts settings={settings} />}
      remove={(settings) => <RemoveApple settings={settings} />}
      form={(settings) => <AppleForm settings={settings} />}
    />
  );
}

function AppleFacts({ settings }: { settings: AppleSettings }) {
  return (
    <>
      <Fact name="Pass type">
        <Copyable text={settings.passTypeId!} what="pass type" />
      </Fact>
      <Fact name="Team">
        <Copyable text={settings.teamId!} what="team" />
      </Fact>
      <Fact name="Certificate ends">
        <Time at={settings.certificateExpiresAt} as="date" />
        <p className="text-xs text-muted">
          Enter a new one of the same pass type before that day. Passes in wallets stay, but cannot change without it.
        </p>
      </Fact>
      <Fact name="Apple's own certificate ends">
        <Time at={settings.wwdrExpiresAt} as="date" />
      </Fact>
    </>
  );
}

function RemoveApple({ settings: { passTypeId, etag } }: { settings: AppleSettings }) {
  const trpc = useTRPC();
  return (
    <AskFirst
      button="Remove…"
      label="Remove Apple Wallet"
      title="Remove Apple Wallet?"
      confirm="Remove"
      mutation={trpc.wallets.removeApple.mutationOptions()}
      input={{ ifMatch: etag }}
      done="Apple Wallet is no longer set up"
    >
      <p>
        The certificate of {passTypeId} and its key are deleted. Nobody can add a pass, and passes that people have stay
        on their phones as they are: a credential that is revoked still looks valid there until somebody checks it.
      </p>
      <p>Enter a certificate of the same pass type again, and phones are told what they missed.</p>
    </AskFirst>
  );
}
