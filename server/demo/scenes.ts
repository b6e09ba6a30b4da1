import type { Actor } from "@/server/core/context";
import { readId } from "@/server/core/ids";
import { issueCredential } from "@/server/credentials/issue";
import { loadCredential, loadForChange } from "@/server/credentials/load";
import { reissueCredential } from "@/server/credentials/reissue";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { credentialView } from "@/server/credentials/view";
import { upsertSubject } from "@/server/subjects/upsert";
import { recordVerificationEvents } from "@/server/verification/record-verification-events";
import type { Person } from "./people";
import type { Cast, Scene, Stage, TemplateName } from "./stage";

type Terms = Omit<Parameters<typeof issueCredential>[1], "subject" | "templateId">;
type By = keyof Cast;

const keyOf = (person: Person, template: TemplateName) => `${person.externalId} ${template}`;
const clock: Actor = { type: "job", id: "credential_clock" };
const anyone: Actor = { type: "public", id: "public" };

/** Makes a scene's action from one that takes the id of this person's credential. */
const withCredential =
  (person: Person, template: TemplateName, act: (stage: Stage, at: Date, id: string) => Promise<unknown>) =>
  (stage: Stage, at: Date) => {
    const id = stage.credentials.get(keyOf(person, template));
    if (!id) throw new Error(`The demo's story ends a credential before it begins: ${keyOf(person, template)}`);
    return act(stage, at, id);
  };

export const arrives = (person: Person, at: Date): Scene => ({
  at,
  play: (stage, when) => upsertSubject(stage.as(stage.cast.system, when), { ...person }),
});

export const leaves = (person: Person, at: Date): Scene => ({
  at,
  play: (stage, when) =>
    upsertSubject(stage.as(stage.cast.system, when), { externalId: person.externalId, status: "inactive" }),
});

export const isIssued = (person: Person, template: TemplateName, at: Date, by: By, terms: Terms = {}): Scene => ({
  at,
  async play(stage, when) {
    const ctx = stage.as(stage.cast[by], when);
    const { credential } = await issueCredential(ctx, {
      subject: { externalId: person.externalId },
      templateId: stage.templates[template],
      ...terms,
    });
    stage.credentials.set(keyOf(person, template), credential.id);
  },
});

export const isSuspended = (person: Person, template: TemplateName, at: Date, by: By, reason: string): Scene => ({
  at,
  play: withCredential(person, template, (stage, when, id) =>
    suspendCredential(stage.as(stage.cast[by], when), { id, reason }),
  ),
});

export const isResumed = (person: Person, template: TemplateName, at: Date, by: By): Scene => ({
  at,
  play: withCredential(person, template, (stage, when, id) => resumeCredential(stage.as(stage.cast[by], when), { id })),
});

export const isRevoked = (
  person: Person,
  template: TemplateName,
  at: Date,
  by: By,
  reason: string,
  note?: string,
): Scene => ({
  at,
  play: withCredential(person, template, (stage, when, id) =>
    revokeCredential(stage.as(stage.cast[by], when), { id, reason, note }),
  ),
});

export const isReissued = (person: Person, template: TemplateName, at: Date, by: By, reason: string): Scene => ({
  at,
  play: withCredential(person, template, async (stage, when, id) => {
    const credential = await reissueCredential(stage.as(stage.cast[by], when), { id, reason });
    stage.credentials.set(keyOf(person, template), credential.id);
  }),
});

/** Records an expiry, as the sweep does at that moment in a running service. */
export const expires = (person: Person, template: TemplateName, at: Date): Scene => ({
  at,
  play: withCredential(person, template, (stage, when, id) => loadForChange(stage.as(clock, when), readId("crd", id))),
});

export const isVerified = (person: Person, template: TemplateName, at: Date, count: number): Scene => ({
  at,
  play: withCredential(person, template, async (stage, when, id) => {
    const ctx = stage.as(anyone, when);
    const { code, state } = credentialView(await loadCredential(ctx, readId("crd", id)), when);
    const valid = state === "active";
    await recordVerificationEvents(ctx, [
      {
        type: valid ? "credential.verified" : "credential.verify_refused",
        facts: {
          object: "verification",
          credentialId: id,
          code,
          result: valid ? "valid" : "invalid",
          state,
          reason: valid ? null : reasonOf[state],
          via: "public",
          count,
        },
      },
    ]);
  }),
});

const reasonOf = {
  pending: "not_yet_valid",
  active: null,
  suspended: "suspended",
  expired: "expired",
  revoked: "revoked",
} as const;
