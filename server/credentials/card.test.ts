import { expect, test } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { updateSubject } from "@/server/subjects/update";
import { getCredentialCard } from "./card";

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

test("an ID shows its subject as it is now, an academic credential as it was at issue", async () => {
  const w = await world();
  for (const [kind, holder, grade] of [["student_id", "Ada King", "A"], ["academic", "Ada Lovelace", null]] as const) {
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

test("the card of another organisation is not found", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const credential = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
  await expect(getCredentialCard(other.ctx, { id: credential.id })).rejects.toMatchObject({ code: "not_found" });
});
