"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { walletNames } from "@/server/wallets/wallet-names";

/** The warning appears this long before a certificate expires, in milliseconds. If the account at Apple has lapsed, a renewal takes days. */
const warnedBeforeMs = 30 * 86_400_000;

const open = (
  <Link href="/settings/wallets" className="font-medium underline">
    Look at it
  </Link>
);

/** Warns if passes are not updated, or the certificate of Apple Wallet expires soon. */
export function WalletAlerts() {
  const trpc = useTRPC();
  const { data: apple } = useQuery(trpc.wallets.apple.queryOptions({}));
  const { data: google } = useQuery(trpc.wallets.google.queryOptions({}));
  const ends = apple?.configured ? [apple.certificateExpiresAt!, apple.wwdrExpiresAt!].toSorted()[0]! : null;
  const endsSoon = ends !== null && new Date(ends).getTime() - Date.now() <= warnedBeforeMs;
  return (
    <>
      {Object.entries({ apple, google }).map(
        ([wallet, settings]) =>
          settings?.problem && (
            <Notice
              key={wallet}
              tone="danger"
              title={`Passes in ${walletNames[wallet as keyof typeof walletNames]} are not updated`}
              action={open}
            >
              {settings.problem}
            </Notice>
          ),
      )}
      {endsSoon && !apple?.problem && (
        <Notice tone="warning" title="The certificate of Apple Wallet ends soon" action={open}>
          It ends <Time at={ends} as="date" />. Without a new one, nobody can add a pass, and passes on phones no longer
          change.
        </Notice>
      )}
    </>
  );
}
