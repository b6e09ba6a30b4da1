import type { JsonObject } from "../json";
import bitstringStatusListV1 from "./contexts/bitstring-status-list-v1.json";
import credentialsExamplesV2 from "./contexts/credentials-examples-v2.json";
import credentialsV1 from "./contexts/credentials-v1.json";
import credentialsV2 from "./contexts/credentials-v2.json";
import dataIntegrityV1 from "./contexts/data-integrity-v1.json";
import dataIntegrityV2 from "./contexts/data-integrity-v2.json";
import didV1 from "./contexts/did-v1.json";
import ed25519V2020 from "./contexts/ed25519-2020-v1.json";
import multikeyV1 from "./contexts/multikey-v1.json";
import openBadges300 from "./contexts/open-badges-3.0.0.json";
import openBadges301 from "./contexts/open-badges-3.0.1.json";
import openBadges302 from "./contexts/open-badges-3.0.2.json";
import openBadges303 from "./contexts/open-badges-3.0.3.json";
import openBadgesExtensions from "./contexts/open-badges-extensions.json";
import statusList2021V1 from "./contexts/status-list-2021-v1.json";
import undefinedTermsV2 from "./contexts/undefined-terms-v2.json";

export const contextUrls = {
  credentialsV1: "https://www.w3.org/2018/credentials/v1",
  credentialsV2: "https://www.w3.org/ns/credentials/v2",
  openBadges: "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
  openBadgesExtensions: "https://purl.imsglobal.org/spec/ob/v3p0/extensions.json",
} as const;

/**
 * The JSON-LD contexts that are bundled. No other is ever loaded: a context from the network could change what a
 * signature covers. To add one, put its file into `contexts/` and its digest into contexts.test.ts.
 */
export const bundledContexts: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [contextUrls.credentialsV1, credentialsV1],
  [contextUrls.credentialsV2, credentialsV2],
  ["https://www.w3.org/ns/credentials/examples/v2", credentialsExamplesV2],
  ["https://www.w3.org/ns/credentials/undefined-terms/v2", undefinedTermsV2],
  ["https://www.w3.org/ns/credentials/status/v1", bitstringStatusListV1],
  ["https://w3id.org/vc/status-list/2021/v1", statusList2021V1],
  ["https://w3id.org/security/data-integrity/v1", dataIntegrityV1],
  ["https://w3id.org/security/data-integrity/v2", dataIntegrityV2],
  ["https://w3id.org/security/multikey/v1", multikeyV1],
  ["https://w3id.org/security/suites/ed25519-2020/v1", ed25519V2020],
  ["https://www.w3.org/ns/did/v1", didV1],
  ["https://purl.imsglobal.org/spec/ob/v3p0/context.json", openBadges300],
  ["https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.1.json", openBadges301],
  ["https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.2.json", openBadges302],
  [contextUrls.openBadges, openBadges303],
  [contextUrls.openBadgesExtensions, openBadgesExtensions],
]);
