/** The configuration of a service that asks a stand-in of Google at this address. */
export const addressesOf = (origin: string) => ({
  GOOGLE_TOKEN_URL: `${origin}/token`,
  GOOGLE_WALLET_URL: `${origin}/walletobjects/v1`,
  GOOGLE_WALLET_KEYS_URL: `${origin}/keys`,
});
