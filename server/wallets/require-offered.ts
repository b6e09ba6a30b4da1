import { DomainError } from "@/server/core/errors";
import type { PassFacts } from "./load-pass-facts";
import { walletNames, type WalletName } from "./wallet-names";

/** Requires that the template offers the wallet and that the credential is valid. @throws DomainError wallet_not_offered; credential_state */
export function requireOffered({ design, verification }: PassFacts, wallet: WalletName): void {
  if (!design.wallet?.[wallet])
    throw new DomainError(
      "wallet_not_offered",
      `The template does not offer its credentials for ${walletNames[wallet]}.`,
    );
  if (verification.result === "valid") return;
  const { state } = verification;
  throw new DomainError(
    "credential_state",
    `The credential is ${state}. Only one that is valid is added to a wallet.`,
    { members: { state, action: "add" } },
  );
}
