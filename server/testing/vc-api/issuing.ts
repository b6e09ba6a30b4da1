import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { Invalid } from "@/server/standards/failure";
import { isObject, listOf, type JsonObject } from "@/server/standards/json";
import { envelope, signJwt } from "@/server/standards/jose/sign-jwt";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { statusEntry, statusListCredential } from "@/server/standards/status-list/list-credential";
import type { TestIssuer } from "@/server/standards/testing/issuer";
import { readCredential } from "@/server/standards/verify/read-credential";
import { statusProblems } from "@/server/standards/verify/check-status";
import { checkVocabulary } from "@/server/standards/verify/check-vocabulary";

const suiteName = "eddsa-rdfc-2022";
const hour = 3_600_000;

/** Issues credentials as a test suite requests them. One did:key signs them all, whatever issuer a credential names. */
export class Issuing {
  private readonly list = Bitstring.ofLength(minEntries);
  private given = 0;

  constructor(
    readonly issuer: TestIssuer,
    private readonly listUrl: string,
  ) {}

  /** @throws Invalid if the credential does not conform to VCDM */
  async issue(body: JsonObject): Promise<JsonObject> {
    const { credential, options = {} } = body;
    if (!isObject(credential) || !isObject(options))
      throw new Invalid("The body must have a credential, and options as an object.");
    if (credential["type"] !== undefined && listOf(credential["type"]).includes("EnvelopedVerifiableCredential"))
      throw new Invalid("What is enveloped is issued already.");
    const document = this.withStatus(readCredential(credential).document, options);
    const problems = statusProblems(document);
    if (problems.length > 0) throw new Invalid(problems.join(" "));
    const vocabulary = await checkVocabulary(document);
    if (vocabulary.outcome !== "pass") throw new Invalid(vocabulary.detail);
    const { envelope: wanted, cryptosuite = suiteName } = options;
    if (wanted === "application/vc+jwt") return envelope(await signJwt(document, "vc", this.issuer), "vc");
    const suite = suiteOf(cryptosuite);
    if (wanted !== undefined || !suite?.sign) throw new Invalid("The options ask for a form that is not issued.");
    return signDocument(document, suite, this.issuer, { created: new Date() });
  }

  /** Returns the status list, signed now. */
  statusList(now = new Date()): Promise<JsonObject> {
    const list = statusListCredential(this.list, {
      url: this.listUrl,
      issuer: this.issuer.did,
      purpose: "revocation",
      validFrom: new Date(now.getTime() - hour),
      validUntil: new Date(now.getTime() + 24 * hour),
      ttlMs: 300_000,
    });
    return signDocument(list, suiteOf(suiteName)!, this.issuer, { created: now });
  }

  private withStatus(document: JsonObject, { credentialStatus }: JsonObject): JsonObject {
    if (credentialStatus === undefined) return document;
    if (credentialStatus !== "BitstringStatusListEntry")
      throw new Invalid("The options ask for a kind of status that is not issued.");
    const entry = statusEntry(this.listUrl, "revocation", this.given++ % minEntries);
    const own = document["credentialStatus"];
    return { ...document, credentialStatus: own === undefined ? entry : [...listOf(own), entry] };
  }
}
