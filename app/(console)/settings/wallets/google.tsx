"use client";
import { useQuery } from "@tanstack/react-query";
import { AskFirst } from "@/components/console/ask-first";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact } from "@/components/ui/facts";
import type { RouterOutputs } from "@/server/trpc/root";
import { GoogleForm } from "./google-form";
import { WalletSection } from "./wallet-section";

type GoogleSettings = RouterOutputs["wallets"]["google"];

/** The settings of Google Wallet. */
export function GoogleWallet() {
  const trpc = useTRPC();
  return (
    <WalletSection<GoogleSettings>
      wallet="google"
      query={useQuery(trpc.wallets.google.queryOptions({}))}
      need="You need an issuer account in the Google Pay & Wallet Console, and a service account in Google Cloud that is invited there."
      replace="Replace the key of Google Wallet"
      facts={(settings) => <GoogleFacts settings={settings} />}
      remove={(settings) => <RemoveGoogle settings={settings} />}
      form={(settings) => <GoogleForm settings={settings} />}
    />
  );
}

function GoogleFacts({ settings }: { settings: GoogleSettings }) {
  return (
    <>
      <Fact name="Issuer ID">
        <Copyable text={settings.issuerId!} what="issuer ID" />
      </Fact>
      <Fact name="Service account">
        <Copyable text={settings.clientEmail!} what="service account" />
      </Fact>
      <Fact name="Key">
        <Copyable text={settings.keyId!} what="key ID" />
        <p className="text-xs text-muted">
          As Google Cloud names it. Delete it there only once you entered another one here.
        </p>
      </Fact>
    </>
  );
}

function RemoveGoogle({ settings: { issuerId, etag } }: { settings: GoogleSettings }) {
  const trpc = useTRPC();
  return (
    <AskFirst
      button="Remove…"
      label="Remove Google Wallet"
      title="Remove Google Wallet?"
      confirm="Remove"
      mutation={trpc.wallets.removeGoogle.mutationOptions()}
      input={{ ifMatch: etag }}
      done="Google Wallet is no longer set up"
    >
      <p>
        The key of the issuer {issuerId} is deleted here. Nobody can add a pass, and passes that people have stay on
        their phones as they are: a credential that is revoked still looks valid there until somebody checks it.
      </p>
      <p>Enter a key of the same issuer again, and Google is told what it missed.</p>
    </AskFirst>
  );
}
