/** The display names of the wallets, by their key in a template's design. */
export const walletNames = { apple: "Apple Wallet", google: "Google Wallet" } as const;

export type WalletName = keyof typeof walletNames;
