/** The wallets of phones, and what people call them. The key is the one in a template's design. */
export const walletNames = { apple: "Apple Wallet", google: "Google Wallet" } as const;

export type WalletName = keyof typeof walletNames;
