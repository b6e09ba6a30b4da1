import { getIssuer } from "@/server/issuers/get";
import { removeIssuerDomain } from "@/server/issuers/domain/remove-domain";
import { setIssuerDomain } from "@/server/issuers/domain/set-domain";
import { verifyIssuerDomain } from "@/server/issuers/domain/verify-domain";
import { revokeIssuerKey } from "@/server/issuers/revoke-key";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { updateIssuer } from "@/server/issuers/update";
import { getOrganisation } from "@/server/organisations/get";
import { getMe } from "@/server/organisations/get-me";
import { updateOrganisation } from "@/server/organisations/update";
import { getAppleSettings } from "@/server/wallets/apple/get-settings";
import { removeAppleSettings } from "@/server/wallets/apple/remove-settings";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { appleCertificates } from "@/server/wallets/apple/testing/certificates";
import { getGoogleSettings } from "@/server/wallets/google/get-settings";
import { removeGoogleSettings } from "@/server/wallets/google/remove-settings";
import { setGoogleSettings } from "@/server/wallets/google/set-settings";
import { googleAccount } from "@/server/wallets/google/testing/stand-in";
import type { Step } from "./step";

export const organisationSteps: Step[] = [
  { operation: getMe, prepare: async (ctx) => () => getMe(ctx, {}), events: [] },
  { operation: getOrganisation, prepare: async (ctx) => () => getOrganisation(ctx, {}), events: [] },
  {
    operation: updateOrganisation,
    prepare: async (ctx) => () => updateOrganisation(ctx, { timeZone: "Europe/Berlin" }),
    events: [],
    audit: ["organisation.updated"],
  },
  {
    operation: updateOrganisation,
    case: "unchanged",
    prepare: async (ctx) => () => updateOrganisation(ctx, { timeZone: "UTC", locale: "en-gb" }),
    events: [],
    nothingToDo: true,
  },
  { operation: getAppleSettings, prepare: async (ctx) => () => getAppleSettings(ctx, {}), events: [] },
  {
    operation: setAppleSettings,
    prepare: async (ctx) => {
      const sent = await appleCertificates();
      return () => setAppleSettings(ctx, sent);
    },
    events: [],
    audit: ["wallet.apple_configured"],
  },
  {
    operation: removeAppleSettings,
    prepare: async (ctx) => {
      await setAppleSettings(ctx, await appleCertificates());
      return () => removeAppleSettings(ctx, {});
    },
    events: [],
    audit: ["wallet.apple_removed"],
  },
  { operation: getGoogleSettings, prepare: async (ctx) => () => getGoogleSettings(ctx, {}), events: [] },
  {
    operation: setGoogleSettings,
    prepare: async (ctx) => {
      const sent = await googleAccount();
      return () => setGoogleSettings(ctx, sent);
    },
    events: [],
    audit: ["wallet.google_configured"],
  },
  {
    operation: removeGoogleSettings,
    prepare: async (ctx) => {
      await setGoogleSettings(ctx, await googleAccount());
      return () => removeGoogleSettings(ctx, {});
    },
    events: [],
    audit: ["wallet.google_removed"],
  },
  { operation: getIssuer, prepare: async (ctx) => () => getIssuer(ctx, {}), events: [] },
  {
    operation: rotateIssuerKey,
    prepare: async (ctx) => () => rotateIssuerKey(ctx, {}),
    events: [],
    audit: ["issuer.key_rotated"],
  },
  {
    operation: setIssuerDomain,
    prepare: async (ctx) => () => setIssuerDomain(ctx, { domain: "credentials.example.edu" }),
    events: [],
    audit: ["issuer.domain_set"],
  },
  {
    operation: verifyIssuerDomain,
    async prepare(ctx) {
      await setIssuerDomain(ctx, { domain: "credentials.example.edu" });
      return () => verifyIssuerDomain(ctx, {});
    },
    events: [],
    audit: ["issuer.domain_checked"],
  },
  {
    operation: removeIssuerDomain,
    async prepare(ctx) {
      await setIssuerDomain(ctx, { domain: "credentials.example.edu" });
      return () => removeIssuerDomain(ctx, {});
    },
    events: [],
    audit: ["issuer.domain_removed"],
  },
  {
    operation: revokeIssuerKey,
    async prepare(ctx) {
      const { id } = (await getIssuer(ctx, {})).keys[0]!;
      return () => revokeIssuerKey(ctx, { id });
    },
    events: [],
    audit: ["issuer.key_revoked"],
  },
  {
    operation: updateIssuer,
    prepare: async (ctx) => () => updateIssuer(ctx, { recipientIdentity: "name" }),
    events: [],
    audit: ["issuer.updated"],
  },
  {
    operation: updateIssuer,
    case: "unchanged",
    prepare: async (ctx) => () => updateIssuer(ctx, { recipientIdentity: "hashed" }),
    events: [],
    nothingToDo: true,
  },
];
