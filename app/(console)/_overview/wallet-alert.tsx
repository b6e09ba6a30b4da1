"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

/** How long before a certificate ends people are warned, in milliseconds. Apple takes days where the account lapsed. */
const warnedBeforeMs = 30 * 86_400_000;

/** A certificate of Apple Wallet that ends soon or has ended, and messages to phones that Apple does not take. */
export function WalletAlert() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.apple.queryOptions({}));
  if (!data?.configured) return null;
  const open = (
    <Link href="/settings/wallets" className="font-medium underline">
      Look at it
    </Link>
  );
  if (data.problem)
    return (
      <Notice tone="danger" title="Passes in Apple Wallet are not updated" action={open}>
        {data.problem}
      </Notice>
    );
  const ends = [data.certificateExpiresAt!, data.wwdrExpiresAt!].toSorted()[0]!;
  if (new Date(ends).getTime() - Date.now() > warnedBeforeMs) return null;
  return (
    <Notice tone="warning" title="The certificate of Apple Wallet ends soon" action={open}>
      It ends <Time at={ends} as="date" />. Without a new one, nobody can add a pass, and passes on phones no longer
      change.
    </Notice>
  );
}
