import type { Given } from "./unbound-tables";

/**
 * A file whose statements name tenant tables without binding org_id, and the reason. A table joined to one of these by
 * org_id counts as bound.
 */
export interface Exception {
  file: string;
  tables: string[];
  because: string;
  /**
   * The file determines the organisation: its statements go through lookUp (server/core/look-up.ts), and only such
   * files use lookUp.
   */
  isLookUp?: true;
}

const lookUps: Exception[] = [
  {
    file: "server/wallets/google/pictures.ts",
    tables: ["template_versions"],
    because: "The id of a published version finds the organisation whose pictures Google loads.",
  },
  {
    file: "server/access/authenticate.ts",
    tables: ["api_keys", "access_tokens"],
    because: "A bearer token finds its organisation.",
  },
  {
    file: "server/access/authenticate-client.ts",
    tables: ["oauth_clients"],
    because: "A client id with its secret finds the organisation.",
  },
  {
    file: "server/access/revoke-access-token.ts",
    tables: ["access_tokens"],
    because: "Whose an access token is, which any client may present (RFC 7009).",
  },
  { file: "server/access/memberships.ts", tables: ["memberships"], because: "The organisations of one person." },
  {
    file: "server/access/one-time-link.ts",
    tables: ["one_time_links"],
    because: "The token of a link finds the organisation, if it has one.",
  },
  {
    file: "server/access/misused-link.ts",
    tables: ["one_time_links"],
    because: "The token of a link finds the organisation that is told of its misuse.",
  },
  {
    file: "server/organisations/accept-own-invitation.ts",
    tables: ["one_time_links"],
    because: "An invitation to one's own address finds the organisation that one joins.",
  },
  {
    file: "server/connectors/sftp/receive/account.ts",
    tables: ["connectors"],
    because: "The user name of an SFTP sign-in finds its connector: user names are unique across all.",
  },
  {
    file: "server/issuers/domain/find-by-host.ts",
    tables: ["issuer_domains"],
    because:
      "The host of a request finds whose DID document it serves: one organisation at a time signs under a domain.",
  },
  {
    file: "server/verification/find-by-code.ts",
    tables: ["credentials"],
    because: "The code of a credential finds its organisation: codes are unique across all.",
  },
  {
    file: "server/wallets/public-offers.ts",
    tables: ["credentials"],
    because: "The code of a credential finds its organisation: codes are unique across all.",
  },
  {
    file: "server/wallets/apple/find-pass.ts",
    tables: ["apple_passes"],
    because: "The serial number of a pass finds its organisation: serial numbers are unique across all.",
  },
  {
    file: "server/wallets/google/receive-callback.ts",
    tables: ["google_passes"],
    because: "The id of a pass at Google finds its organisation: ids are unique across all.",
  },
  {
    file: "server/wallets/apple/changed-passes.ts",
    tables: ["apple_devices"],
    because: "The passes of one phone, by Apple's id of it, of whichever organisation.",
  },
  {
    file: "server/badges/public-facts.ts",
    tables: ["credentials"],
    because: "The code of a credential finds its organisation: codes are unique across all.",
  },
  {
    file: "server/badges/public-achievement.ts",
    tables: ["achievement_versions"],
    because: "The id of a published achievement finds its organisation: it stands in credentials that anyone may hold.",
  },
  {
    file: "server/achievements/get-image.ts",
    tables: ["achievement_versions"],
    because: "The id of a published achievement finds its organisation: it stands in credentials that anyone may hold.",
  },
  {
    file: "server/access/address-proof.ts",
    tables: ["address_proofs"],
    because: "Who reads the mail of an address, by the token of a browser or a link; an address has no organisation.",
  },
  {
    file: "server/notifications/proof-mail.ts",
    tables: ["address_proofs", "subjects", "holder_addresses"],
    because: "What a mail to an address proves, and whether any organisation knows the address.",
  },
  {
    file: "server/holders/people-with-address.ts",
    tables: ["subjects"],
    because: "A proven address finds the people whose it is, in whichever organisation.",
  },
  {
    file: "server/confirmations/find-link.ts",
    tables: ["name_confirmations"],
    because: "The token of a link finds its organisation: tokens are unique across all.",
  },
  {
    file: "server/claims/find-link.ts",
    tables: ["claim_links"],
    because: "The code of a claim link finds its organisation: codes are unique across all.",
  },
].map((each) => ({ ...each, isLookUp: true }));

const people: Exception[] = [
  {
    file: "server/access/request-email-verification.ts",
    tables: ["one_time_links"],
    because: "The links of one person's address, which belong to no organisation.",
  },
  {
    file: "server/access/set-password.ts",
    tables: ["one_time_links"],
    because: "The links of one person's address, which belong to no organisation.",
  },
  {
    file: "server/access/disable-user.ts",
    tables: ["one_time_links"],
    because: "The links of one person's address, which belong to no organisation.",
  },
  {
    file: "server/notifications/send-account-mail.ts",
    tables: ["one_time_links"],
    because: "The links of one person's address, and the one that a mail contains.",
  },
  {
    file: "server/organisations/create-setup-link.ts",
    tables: ["one_time_links"],
    because: "The link of the first set-up: there is no organisation yet.",
  },
  {
    file: "server/organisations/delete-user.ts",
    tables: ["one_time_links"],
    because: "Invitations and links of an address go with its account, whichever organisation made them.",
  },
  {
    file: "server/organisations/list-own-invitations.ts",
    tables: ["one_time_links"],
    because: "A person's invitations, by whichever organisation.",
  },
  {
    file: "server/organisations/sign-in-with-sso.ts",
    tables: ["one_time_links"],
    because: "Whether any organisation has invited this address, before it has an account.",
  },
  {
    file: "server/access/reset-password.ts",
    tables: ["memberships"],
    because: "Names of a person's organisations, which a new password must not contain.",
  },
  {
    file: "server/erasure/blank-holder.ts",
    tables: ["address_proofs"],
    because: "What an address began at any organisation's page goes with the person who has it.",
  },
  {
    file: "server/access/security-events.ts",
    tables: ["memberships"],
    because: "An event of an account is written for each organisation of that person.",
  },
];

const operator: Exception[] = [
  {
    file: "server/admin/people.ts",
    tables: ["memberships"],
    because: "The operator lists the accounts of all organisations.",
  },
  ...["server/admin/master-secret.ts", "server/admin/reencrypt.ts", "server/admin/reset-secret.ts"].map((file) => ({
    file,
    tables: [
      "apple_passes",
      "apple_wallet_settings",
      "connectors",
      "erasure_keys",
      "google_wallet_settings",
      "idempotency_records",
      "issuer_keys",
      "webhook_endpoints",
    ],
    because: "The master secret is one for all organisations: every column that holds a ciphertext is walked.",
  })),
  {
    file: "server/http/rest/idempotency.ts",
    tables: ["idempotency_records"],
    because: "After the master secret was lost: stored answers of all organisations.",
  },
  {
    file: "server/connectors/http/remove-lost-secrets.ts",
    tables: ["connectors"],
    because: "After the master secret was lost: the secrets of all organisations' connectors.",
  },
  {
    file: "server/issuers/retire-lost-keys.ts",
    tables: ["issuer_keys"],
    because: "After the master secret was lost: the keys of all organisations.",
  },
  {
    file: "server/subjects/erased.ts",
    tables: ["erasure_keys"],
    because: "After the master secret was lost: the keys of all organisations.",
  },
  {
    file: "server/webhooks/endpoints/replace-lost-secrets.ts",
    tables: ["webhook_endpoints"],
    because: "After the master secret was lost: the endpoints of all organisations.",
  },
];

const jobs: Exception[] = [
  { file: "server/core/blobs/store.ts", tables: ["blobs"], because: "A sweep for files that nothing uses any more." },
  {
    file: "server/credentials/bulk-run.ts",
    tables: ["bulk_jobs"],
    because: "Claims the next job, whose organisation it then works for.",
  },
  {
    file: "server/photos/lease.ts",
    tables: ["photo_imports"],
    because: "Claims the next import of photos, whose organisation it then works for.",
  },
  {
    file: "server/connectors/run/clear.ts",
    tables: ["connector_runs"],
    because: "Finds the next run whose rows are to be removed, whose organisation it then works for.",
  },
  {
    file: "server/connectors/run/lease.ts",
    tables: ["connector_runs"],
    because: "Claims the next run that waits for its source or to be unpacked, whose organisation it then works for.",
  },
  {
    file: "server/connectors/run/file-away.ts",
    tables: ["connector_runs"],
    because: "Claims the next run whose file is to be moved, whose organisation it then works for.",
  },
  {
    file: "server/connectors/fall-back-from-deleted.ts",
    tables: ["connectors"],
    because:
      "Finds the next deleted connectors whose people are to get the values of other directories, whose organisations it then works for.",
  },
  {
    file: "server/connectors/run/start-due.ts",
    tables: ["connectors"],
    because: "Finds the next connector whose time has come, whose organisation it then works for.",
  },
  {
    file: "server/core/run-steps.ts",
    tables: ["connector_runs", "policy_runs"],
    because: "Takes the turn of the next run, whose organisation its job then works for.",
  },
  {
    file: "server/credentials/fold-counts.ts",
    tables: ["credential_action_deltas", "credential_count_deltas"],
    because: "Adds the changes of all organisations to their counters.",
  },
  {
    file: "server/groups/fold-counts.ts",
    tables: ["group_count_deltas"],
    because: "Adds the changes of all organisations to their counters.",
  },
  {
    file: "server/groups/sweep.ts",
    tables: ["groups"],
    because: "Finds the next rule group, whose organisation it then works for.",
  },
  {
    file: "server/credentials/sweep.ts",
    tables: ["credentials"],
    because: "Claims credentials that the clock changes.",
  },
  {
    file: "server/notifications/send-messages.ts",
    tables: ["messages"],
    because: "Claims messages that are due, and ends those that waited for too long.",
  },
  {
    file: "server/messages/sweep-expiring.ts",
    tables: ["templates"],
    because: "Finds the templates whose holders are told that a credential expires.",
  },
  {
    file: "server/wallets/apply-changes.ts",
    tables: ["apple_passes", "wallet_changes"],
    because: "Takes the changes of all organisations, and numbers them in one order.",
  },
  {
    file: "server/wallets/apple/push-devices.ts",
    tables: ["apple_devices"],
    because: "Claims messages to phones that are due.",
  },
  {
    file: "server/wallets/google/update-passes.ts",
    tables: ["google_passes"],
    because: "Claims updates of passes that are due.",
  },
  {
    file: "server/wallets/google/remove-lost-secrets.ts",
    tables: ["google_wallet_settings"],
    because: "After the master secret was lost: the keys of all organisations.",
  },
  {
    file: "server/wallets/apple/remove-lost-secrets.ts",
    tables: ["apple_passes", "apple_wallet_settings"],
    because: "After the master secret was lost: the keys and tokens of all organisations.",
  },
  { file: "server/notifications/claim.ts", tables: ["notifications"], because: "Claims notifications that are due." },
  {
    file: "server/notifications/endpoint-notices.ts",
    tables: ["webhook_endpoints"],
    because: "Finds endpoints whose members are to be warned.",
  },
  {
    file: "server/notifications/run-notices.ts",
    tables: ["connector_runs", "scim_removals"],
    because: "Finds held runs and removals whose members are to be told.",
  },
  {
    file: "server/notifications/policy-notices.ts",
    tables: ["policies", "policy_runs"],
    because: "Finds halted and failed policies whose members are to be told.",
  },
  {
    file: "server/policies/run/start-due.ts",
    tables: ["policies"],
    because: "Finds the next policy whose time has come, whose organisation it then works for.",
  },
  {
    file: "server/reactions/sequence.ts",
    tables: ["event_outbox"],
    because: "Numbers the events of all organisations that wait.",
  },
  {
    file: "server/retention/purge.ts",
    tables: [
      "address_proofs",
      "claims",
      "connector_runs",
      "name_confirmations",
      "photo_imports",
      "organisations",
      "access_tokens",
      "apple_passes",
      "google_passes",
      "connectors",
      "credential_channels",
      "credential_action_counts",
      "idempotency_records",
      "notifications",
      "one_time_links",
      "scim_requests",
      "status_changes",
      "security_events",
      "webhook_statistics",
    ],
    because: "Deletes what is older than the retention that the operator set for all.",
  },
  {
    file: "server/webhooks/endpoints/disable-failing.ts",
    tables: ["webhook_endpoints"],
    because: "Finds endpoints that have failed for too long.",
  },
  {
    file: "server/webhooks/dispatch/due.ts",
    tables: ["webhook_deliveries"],
    because: "Finds endpoints with deliveries that are due.",
  },
  {
    file: "server/webhooks/deliveries/park-leftovers.ts",
    tables: ["webhook_endpoints"],
    because: "Finds endpoints that have ended and still have deliveries.",
  },
  {
    file: "server/http/web/readiness.ts",
    tables: ["event_outbox"],
    because: "Whether an event of any organisation has waited for its number for too long.",
  },
  {
    file: "server/webhooks/deliveries/queue.ts",
    tables: ["event_outbox", "webhook_deliveries", "webhook_statistics"],
    because: "Figures of one organisation, or of all for the metrics.",
  },
];

/** Every statement that names a tenant's table without binding org_id. */
export const exceptions: Exception[] = [...lookUps, ...people, ...operator, ...jobs];

/**
 * An endpoint, an event, and their deliveries and attempts belong to the same organisation. Deliveries and attempts may
 * be found through the endpoint or the event, because their indexes do not begin with the organisation
 * (docs/decisions/024). This holds only if the other row is bound.
 */
export const references: Given["references"] = {
  "webhook_deliveries.endpoint_id": "webhook_endpoints.id",
  "webhook_deliveries.event_id": "events.id",
  "webhook_attempts.delivery_id": "webhook_deliveries.id",
};
