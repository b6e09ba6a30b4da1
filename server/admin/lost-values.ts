/** The content of an encrypted column, and what happens to it if the master secret is lost for good. */
export interface LostValue {
  name: string;
  /** What `secret reset` does with it, and what the operator or the organisation does afterwards. */
  consequence: string;
}

/** By `table.column`. docs/operations.md has the same table; a test compares them. */
export const lostValues: Record<string, LostValue> = {
  "issuer_keys.private_key": {
    name: "keys with which organisations sign credentials",
    consequence:
      "retired, and what they signed still verifies; the next signature makes a new key. Where an own domain serves a copy of the DID document, copy it there again",
  },
  "webhook_endpoints.secret": {
    name: "secrets of webhook endpoints",
    consequence:
      "each endpoint gets a new one and is paused; deliveries wait. Rotate the secret in the console, give it to the receiver, enable the endpoint",
  },
  "webhook_endpoints.previous_secret": {
    name: "previous secrets of webhook endpoints, while both sign",
    consequence: "removed; nothing to do beyond the new secret",
  },
  "webhook_endpoints.headers": {
    name: "added headers of webhook endpoints",
    consequence: "removed; add them again",
  },
  "apple_wallet_settings.private_key": {
    name: "keys of Apple Wallet certificates",
    consequence: "removed with the certificate; upload certificate and key again under Settings, Wallets",
  },
  "google_wallet_settings.private_key": {
    name: "keys of Google Wallet",
    consequence: "removed; enter the key of the same issuer again, and passes are updated with all that they missed",
  },
  "apple_passes.token": {
    name: "tokens of passes in Apple Wallet",
    consequence:
      "the passes are removed here; phones keep what they have, and it no longer changes: a revoked pass still looks valid there. Holders add the pass again",
  },
  "connectors.secret": {
    name: "passwords and tokens with which connectors fetch files",
    consequence: "removed; runs fail with unauthorized and deactivate nobody until the secret is entered again",
  },
  "connectors.pgp_key": {
    name: "PGP keys of connectors",
    consequence: "removed; encrypted files fail and change nobody until the key is set again",
  },
  "sftp_host_keys.private_key": {
    name: "host keys of the SFTP server",
    consequence:
      "new ones are made; senders see a warning that the key changed. Give them the new fingerprint from the connector's page",
  },
  "authenticator_apps.secret": {
    name: "authenticator apps",
    consequence:
      "removed, with recovery codes where no passkey is left; their people are signed out and told by e-mail, and sign in with the password until they add one",
  },
  "idempotency_records.answer": {
    name: "stored answers of idempotent requests",
    consequence: "a repeat within 24 hours answers 410; it does nothing twice",
  },
  "erasure_keys.key": {
    name: "keys of erasures",
    consequence: "former external ids of erased people are not recognised: keep them out of your feeds",
  },
  "challenges.sso": {
    name: "sign-ins by single sign-on that are under way",
    consequence: "end; people begin again",
  },
  "account_mails.link": {
    name: "links in e-mails that wait",
    consequence: "end unsent; invite or reset again",
  },
};
