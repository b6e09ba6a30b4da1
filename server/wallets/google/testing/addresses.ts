/** The configuration that points the service to a stand-in for Google at this origin. */
export const addressesOf = (origin: string) => ({
  GOOGLE_TOKEN_URL: `${origin}/token`,
  GOOGLE_WALLET_URL: `${origin}/walletobjects/v1`,
  GOOGLE_WALLET_KEYS_URL: `${origin}/keys`,
});
