import { DomainError } from "@/server/core/errors";
import type { PassFacts } from "./load-pass-facts";
import { walletNames, type WalletName } from "./wallet-names";

/** @throws DomainError wallet_not_offered if the template does not offer the wallet; credential_state unless the credential is valid */
export function requireOffered({ design, verification }: PassFacts, wallet: WalletName): void {
  if (!design.wallet?.[wallet])
    throw new DomainError(
      "wallet_not_offered",
      `The template does not offer ${walletNames[wallet]} for its credentials.`,
    );
  if (verification.result === "valid") return;
  const { state } = verification;
  throw new DomainError(
    "credential_state",
    `The credential is ${state}. Only a valid credential can be added to a wallet.`,
    { members: { state, action: "add" } },
  );
}
