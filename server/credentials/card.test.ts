import { expect, test } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { publishedAchievement } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { getSubject } from "@/server/subjects/get";
import { updateSubject } from "@/server/subjects/update";
import { verifyCode } from "@/server/verification/verify-code";
import { getCredentialCard } from "./card";
import { issueCredential } from "./issue";

const design = {
  front: {
    fields: [
      { key: "name", label: "Name", binding: "subject.displayName" },
      { key: "grade", label: { en: "Grade", de: "Note" }, binding: "attributes.grade" },
      { key: "motto", text: "Sapere aude" },
    ],
  },
  publicFields: ["name"],
};

test("an ID shows its subject's present data; an academic credential shows the data when it was issued", async () => {
  const w = await world();
  for (const [kind, holder, grade] of [
    ["student_id", "Ada King", "A"],
    ["academic", "Ada Lovelace", null],
  ] as const) {
    const template = await publishedTemplate(w.ctx, { name: "Card", kind, design });
    const credential = await issued(w.ctx, template.id);
    await updateSubject(w.ctx, { id: credential.subjectId, displayName: "Ada King", attributes: { grade: "A" } });
    const card = await getCredentialCard(w.ctx, { id: credential.id });
    expect(card).toMatchObject({ title: "Card", kind, version: 1, issuer: "Test Organisation", holder, design });
    expect(card.fields).toEqual([
      { key: "name", label: "Name", value: holder, format: "text" },
      { key: "grade", label: "Grade", value: grade, format: "text" },
      { key: "motto", label: "motto", value: "Sapere aude", format: "text" },
    ]);
  }
});

test("data that was entered when issuing replaces the subject's attribute on the card, in public and in the expiry, and leaves the subject unchanged", async () => {
  const w = await world();
  const fields = ["grade", "thesis.title"].map((path) => ({
    key: path.split(".")[0]!,
    label: path,
    binding: `attributes.${path}`,
  }));
  fields.push({ key: "credits", label: "credits", binding: "credential.data.credits" });
  const attributes = { grade: "C", thesis: { title: "Draft", pages: 12 }, until: "2040-01-31" };
  for (const kind of ["student_id", "academic"] as const) {
    const template = await publishedTemplate(w.ctx, {
      name: "Certificate",
      kind,
      design: { front: { fields }, publicFields: fields.map(({ key }) => key) },
      validity: { type: "attribute", attribute: "until" },
    });
    const data = { grade: "A", credits: 30, thesis: { title: "On engines" }, until: "2041-06-30" };
    const { credential } = await issueCredential(w.ctx, {
      subject: { externalId: kind, displayName: "Ada Lovelace", attributes },
      templateId: template.id,
      data,
    });
    expect((await getCredentialCard(w.ctx, { id: credential.id })).fields.map(({ value }) => value)).toEqual([
      "A",
      "On engines",
      30,
    ]);
    const { credential: seen } = await verifyCode(credential.code, { via: "public", viewer: "test", now: w.ctx.now });
    expect(seen.fields.map(({ value }) => value)).toEqual(["A", "On engines", 30]);
    expect(credential.expiresAt).toBe(
      (
        await issueCredential(w.ctx, {
          subject: { externalId: `${kind} 2`, attributes: { until: "2041-06-30" } },
          templateId: template.id,
        })
      ).credential.expiresAt,
    );
    expect((await getSubject(w.ctx, { id: credential.subjectId })).attributes).toEqual(attributes);
  }
});

test("the snapshot in a credential's data is not read as an attribute", async () => {
  const w = await world();
  const design = { front: { fields: [{ key: "a", label: "a", binding: "attributes.subject.displayName" }] } };
  const template = await publishedTemplate(w.ctx, { name: "Degree", kind: "academic", design });
  const credential = await issued(w.ctx, template.id);
  expect((await getCredentialCard(w.ctx, { id: credential.id })).fields[0]!.value).toBeNull();
});

test("the card of another organisation is not found", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const credential = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
  await expect(getCredentialCard(other.ctx, { id: credential.id })).rejects.toMatchObject({ code: "not_found" });
});

test("the card of an academic credential shows its award in words, as its document states it", async () => {
  const w = await world();
  const achievement = await publishedAchievement(w.ctx, {
    resultDescriptions: [
      { key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"], requiredValue: "B" },
      {
        key: "thesis",
        name: "Thesis",
        resultType: "RubricCriterionLevel",
        rubricLevels: [
          { key: "l1", name: "Passed", level: "1" },
          { key: "l2", name: "Distinction", level: "2", points: "90" },
        ],
        requiredLevel: "l1",
      },
      { key: "state", name: "Studies", resultType: "Status" },
      { key: "unused", name: "Unused", resultType: "Result" },
    ],
    creditsAvailable: 120,
  });
  const template = await publishedTemplate(w.ctx, {
    kind: "academic",
    achievementId: achievement.id,
    design: { front: { fields: [{ key: "g", binding: "credential.data.results.grade" }] }, publicFields: ["g"] },
  });
  const { id } = await issued(w.ctx, template.id, {
    data: {
      results: { grade: "A", thesis: "l2", state: "InProgress" },
      creditsEarned: 90,
      evidence: [{ name: "Thesis" }],
      awardedDate: "2026-01-31",
    },
  });
  const card = await getCredentialCard(w.ctx, { id });
  expect(card.award).toEqual({
    results: [
      { key: "grade", name: "Grade", value: "A", remark: "Needed to pass: B" },
      { key: "thesis", name: "Thesis", value: "Distinction", remark: "Level 2 · 90 points · Needed to pass: Passed" },
      { key: "state", name: "Studies", value: "In progress", remark: null },
    ],
    credits: { earned: 90, available: 120 },
    evidence: [{ name: "Thesis" }],
    awardedOn: "2026-01-31",
  });
  expect(card.achievement).toEqual({ id: achievement.id, version: 1 });
  expect(card.hiddenFromFiles).toEqual(["results.thesis", "results.state", "credits", "evidence"]);
});

test("the award without an achievement has only the credits; other kinds have no award", async () => {
  const w = await world();
  const academic = await publishedTemplate(w.ctx, { kind: "academic" });
  const own = await issued(w.ctx, academic.id, {
    data: { creditsEarned: 12 },
    validFrom: "2026-03-01T12:00:00Z",
  });
  const card = await getCredentialCard(w.ctx, { id: own.id });
  expect(card.award).toEqual({
    results: [],
    credits: { earned: 12, available: null },
    evidence: [],
    awardedOn: "2026-03-01",
  });
  expect([card.achievement, card.hiddenFromFiles]).toEqual([null, ["credits"]]);
  const member = await issued(w.ctx, (await publishedTemplate(w.ctx, {})).id);
  expect(await getCredentialCard(w.ctx, { id: member.id })).toMatchObject({ award: null, hiddenFromFiles: [] });
  await eraseSubject(w.ctx, { id: own.subjectId, reason: "Asked for it", includeAcademic: true });
  expect(await getCredentialCard(w.ctx, { id: own.id })).toMatchObject({ award: null, hiddenFromFiles: [] });
});
