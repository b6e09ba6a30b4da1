import { WalletCards } from "lucide-react";

/** Leads to the pass of a credential, which an iPhone offers to add. */
export function AddToWallet({ code }: { code: string }) {
  return (
    <div className="no-print mt-4">
      <a
        href={`/public/credentials/${code}/wallet/apple`}
        className="flex min-h-11 items-center justify-center gap-2 rounded-xl border border-white/30 bg-black px-4 text-sm font-medium text-white outline-none hover:bg-neutral-800 focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-offset-2"
      >
        <WalletCards aria-hidden="true" className="size-5" /> Add to Apple Wallet
      </a>
    </div>
  );
}
