import { z } from "zod";
import { formatCode } from "@/server/credentials/code";
import { credentialStates, effectiveState } from "@/server/credentials/states";
import { issuedAt } from "@/server/credentials/view";
import { templateKinds } from "@/server/templates/view";
import type { Decision } from "./decide";
import type { CredentialEvidence } from "./find-by-code";
import { publicFieldsOf } from "./public-fields";
import { reasons, reasonText } from "./reasons";

const time = z.iso.datetime();

export const verificationSchema = z
  .object({
    object: z.literal("verification"),
    result: z.enum(["valid", "invalid", "indeterminate"]).meta({ description: "indeterminate where something could not be checked." }),
    state: z.enum(credentialStates),
    reason: z.enum(reasons).nullable().meta({ description: "Null where the credential is valid." }),
    reasonText: z.string().nullable().meta({ description: "The reason in words for people." }),
    checks: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(["pass", "fail", "error", "skipped"]),
        detail: z.string(),
      }),
    ),
    checkedAt: time,
    credential: z.object({
      code: z.string(),
      kind: z.enum(templateKinds),
      title: z.string(),
      issuer: z.object({
        name: z.string(),
        slug: z.string(),
        timeZone: z.string().meta({ description: "The IANA time zone in which the issuer's days begin and end." }),
        locale: z.string().meta({ description: "The BCP 47 locale in which the issuer writes dates." }),
      }),
      subject: z.object({
        displayName: z.string().meta({ description: "Empty where the holder was erased." }),
        erased: z.boolean().meta({ description: "Whether the holder asked for erasure. Then the credential names nobody." }),
      }),
      fields: z
        .array(z.object({ key: z.string(), label: z.string(), value: z.unknown(), format: z.enum(["text", "uppercase", "date", "datetime", "number"]) }))
        .meta({ description: "What else the template makes public." }),
      issuedAt: time.nullable(),
      expiresAt: time.nullable().meta({ description: "An exclusive instant. People read the last day before it, in the issuer's time zone." }),
      revokedAt: time.nullable(),
      revocationReason: z.string().nullable(),
      supersededBy: z.string().nullable().meta({ description: "The code of the newer credential, if its reissue asked to link to it." }),
    }),
  })
  .meta({ id: "Verification" });

export type Verification = z.infer<typeof verificationSchema>;

/** What anyone may know of a credential: what its template makes public, and nothing else (contract section 8). */
export function verificationView(evidence: CredentialEvidence, { result, reason, checks }: Decision, now: Date): Verification {
  const state = effectiveState(evidence, now);
  return {
    object: "verification",
    result,
    state,
    reason,
    reasonText: reason && reasonText(reason, evidence),
    checks: checks.map(({ name, outcome, detail }) => ({ name, outcome, detail })),
    checkedAt: now.toISOString(),
    credential: {
      code: formatCode(evidence.code),
      kind: evidence.kind,
      title: evidence.title,
      issuer: { name: evidence.issuer_name, slug: evidence.issuer_slug, timeZone: evidence.time_zone, locale: evidence.locale },
      subject: { displayName: evidence.display_name, erased: evidence.erased_at !== null },
      fields: publicFieldsOf(evidence, state, now),
      issuedAt: iso(issuedAt(evidence, now)),
      expiresAt: iso(evidence.expires_at),
      revokedAt: iso(evidence.revoked_at),
      revocationReason: evidence.revocation_reason,
      supersededBy: evidence.newer_code && formatCode(evidence.newer_code),
    },
  };
}

const iso = (time: Date | null) => time?.toISOString() ?? null;
