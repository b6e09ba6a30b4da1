import type { Metadata } from "next";
import { WalletSettings } from "./wallet-settings";

export const metadata: Metadata = { title: "Wallets" };

export default function WalletsPage() {
  return <WalletSettings />;
}
