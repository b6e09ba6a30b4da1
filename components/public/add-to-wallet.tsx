import { WalletCards } from "lucide-react";
import type { WalletOffers } from "@/server/wallets/public-offers";
import { say } from "./words";

const offered = [
  { wallet: "apple", words: "Add to Apple Wallet" },
  { wallet: "google", words: "Add to Google Wallet" },
] as const;

/** The buttons that download the Apple pass, or lead to Google's page that adds the Google pass. */
export function AddToWallet({ code, wallets }: { code: string; wallets: WalletOffers }) {
  const shown = offered.filter(({ wallet }) => wallets[wallet]);
  if (shown.length === 0) return null;
  return (
    <div className="no-print mt-4 space-y-2">
      {shown.map(({ wallet, words }) => (
        <a
          key={wallet}
          href={`/public/credentials/${code}/wallet/${wallet}`}
          className="flex min-h-11 items-center justify-center gap-2 rounded-xl border border-white/30 bg-black px-4 text-sm font-medium text-white outline-none hover:bg-neutral-800 focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-offset-2"
        >
          <WalletCards aria-hidden="true" className="size-5" /> {say(words)}
        </a>
      ))}
    </div>
  );
}
