import { describe, expect, it } from "vitest";
import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { createAchievementVersion } from "@/server/achievements/create-version";
import { createTemplate } from "@/server/templates/create";
import { createTemplateVersion } from "@/server/templates/create-version";
import { getTemplate } from "@/server/templates/get";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { draftAchievement, publishedAchievement } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { getCredential } from "./get";
import { reissueCredential } from "./reissue";

const academic = (w: World, achievementId?: string) =>
  publishedTemplate(w.ctx, { kind: "academic", ...(achievementId && { achievementId }) });

describe("an academic template", () => {
  it("names an achievement, and a new version keeps it unless another is sent", async () => {
    const w = await world();
    const [one, other] = [await publishedAchievement(w.ctx), await publishedAchievement(w.ctx)];
    const { id } = await academic(w, one.id);
    expect(await getTemplate(w.ctx, { id })).toMatchObject({ version: { achievementId: one.id } });
    expect(await createTemplateVersion(w.ctx, { id })).toMatchObject({ achievementId: one.id });
    expect(await createTemplateVersion(w.ctx, { id, achievementId: other.id })).toMatchObject({
      achievementId: other.id,
    });
    expect(await createTemplateVersion(w.ctx, { id, achievementId: null })).toMatchObject({ achievementId: null });
  });

  it("is not published while its achievement has no current version", async () => {
    const w = await world();
    const draft = await draftAchievement(w.ctx);
    const token = await w.key();
    const body = { name: "Degree", kind: "academic", achievementId: draft.id };
    const refused = await call("POST", "/v1/templates", { token, body: { ...body, publish: true } });
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { code: "achievement_not_published", achievementId: draft.id },
    ]);
    const { id } = await createTemplate(w.ctx, { name: "Degree", kind: "academic", achievementId: draft.id });
    await expect(publishTemplateVersion(w.ctx, { id, version: 1 })).rejects.toMatchObject({
      code: "achievement_not_published",
    });
    const kept = await call("DELETE", `/v1/achievements/${draft.id}`, { token });
    expect([kept.status, kept.json()["code"]]).toEqual([409, "achievement_in_use"]);
  });

  it("of another kind takes no achievement, and does not find those of another organisation", async () => {
    const [w, other] = [await world(), await world()];
    const [{ id }, theirs] = [await publishedAchievement(w.ctx), await publishedAchievement(other.ctx)];
    const token = await w.key();
    const make = (body: object) => call("POST", "/v1/templates", { token, body: { name: "Card", ...body } });
    expect((await make({ kind: "student_id", achievementId: id })).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "/achievementId" }],
    });
    expect((await make({ kind: "academic", achievementId: theirs.id })).status).toBe(404);
  });
});

describe("an academic credential", () => {
  it("keeps the version of the achievement that was current when it was issued", async () => {
    const w = await world();
    const achievement = await publishedAchievement(w.ctx);
    const template = await academic(w, achievement.id);
    const first = await issued(w.ctx, template.id);
    const next = await createAchievementVersion(w.ctx, { id: achievement.id, publish: true });
    const second = await issued(w.ctx, template.id);
    expect([first, second].map((each) => each.achievementVersionId)).toEqual([achievement.version.id, next.id]);
    expect(await getCredential(w.ctx, { id: first.id })).toMatchObject({
      achievementVersionId: achievement.version.id,
    });
    expect(await reissueCredential(w.ctx, { id: first.id })).toMatchObject({ achievementVersionId: next.id });
  });

  it("is not issued while no version of the achievement is current", async () => {
    const w = await world();
    const achievement = await publishedAchievement(w.ctx, { name: "Stopped course" });
    const template = await academic(w, achievement.id);
    await archiveAchievementVersion(w.ctx, { id: achievement.id, version: 1 });
    await expect(issued(w.ctx, template.id)).rejects.toMatchObject({
      code: "achievement_not_published",
      message: expect.stringContaining("Stopped course"),
    });
  });

  it("states no achievement if its template names none, except one that the request names, also when it is reissued", async () => {
    const w = await world();
    const achievement = await publishedAchievement(w.ctx);
    const template = await academic(w);
    expect(await issued(w.ctx, template.id)).toMatchObject({ achievementVersionId: null });
    const sent = await issued(w.ctx, template.id, { achievementId: achievement.id });
    expect(sent).toMatchObject({ achievementVersionId: achievement.version.id });
    const next = await createAchievementVersion(w.ctx, { id: achievement.id, publish: true });
    expect(await reissueCredential(w.ctx, { id: sent.id })).toMatchObject({ achievementVersionId: next.id });
  });

  it("accepts neither another achievement than the template's nor, for a card, any achievement", async () => {
    const w = await world();
    const [named, other] = [await publishedAchievement(w.ctx), await publishedAchievement(w.ctx)];
    const token = await w.key();
    const issue = (templateId: string, achievementId: string) =>
      call("POST", "/v1/credentials", { token, body: { subject: { externalId: "s-1" }, templateId, achievementId } });
    const template = await academic(w, named.id);
    for (const templateId of [template.id, (await publishedTemplate(w.ctx)).id])
      expect((await issue(templateId, other.id)).json()).toMatchObject({
        status: 400,
        errors: [{ pointer: "/achievementId" }],
      });
    expect((await issue((await academic(w)).id, "ach_unknown")).status).toBe(404);
    expect((await issue(template.id, named.id)).json()).toMatchObject({ achievementVersionId: named.version.id });
  });
});

describe("the results that a credential states", () => {
  const content = {
    creditsAvailable: 180,
    resultDescriptions: [
      { key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["sehr gut", "gut"] },
      { key: "points", name: "Points", resultType: "RawScore", valueMin: "0", valueMax: "100" },
      {
        key: "level",
        name: "Level",
        resultType: "RubricCriterionLevel",
        rubricLevels: [{ key: "basic", name: "Basic" }],
      },
    ],
  } satisfies Parameters<typeof publishedAchievement>[1];

  it("are those that its achievement describes, when it is issued, changed or reissued", async () => {
    const w = await world();
    const token = await w.key();
    const { id: templateId } = await academic(w, (await publishedAchievement(w.ctx, content)).id);
    const issue = async (data: object) => {
      const body = { subject: { externalId: `r-${Math.random()}` }, templateId, data };
      const answer = await call("POST", "/v1/credentials", { token, body });
      return {
        status: answer.status,
        ...answer.json<{ id: string; errors?: { pointer: string; message: string }[] }>(),
      };
    };
    const wrong: [object, string, RegExp][] = [
      [{ results: { grade: "befriedigend" } }, "/data/results/grade", /must be one of sehr gut, gut/],
      [{ results: { points: 101 } }, "/data/results/points", /from 0 to 100/],
      [{ results: { points: "many" } }, "/data/results/points", /must be a number/],
      [{ results: { level: "expert" } }, "/data/results/level", /must be one of basic/],
      [{ results: { grade: { a: 1 } } }, "/data/results/grade", /must be a text or a number/],
      [{ results: { mark: "gut" } }, "/data/results/mark", /Known: grade, points, level/],
      [{ results: ["gut"] }, "/data/results", /must be an object/],
      [{ creditsEarned: 9999 }, "/data/creditsEarned", /from 0 to 180/],
      [{ creditsEarned: "many" }, "/data/creditsEarned", /must be a number/],
    ];
    for (const [data, pointer, message] of wrong)
      expect([data, await issue(data)]).toMatchObject([
        data,
        { status: 400, errors: [{ pointer, message: expect.stringMatching(message) }] },
      ]);
    const good = { results: { grade: "gut", points: "99.5", level: "basic" }, creditsEarned: 180 };
    const { id, status } = await issue(good);
    expect(status).toBe(201);
    const change = (method: string, path: string, body: object) =>
      call(method, `/v1/credentials/${id}${path}`, { token, body });
    expect((await change("PATCH", "", { data: { results: { grade: "3" } } })).status).toBe(400);
    expect((await change("PATCH", "", { data: { results: { grade: "sehr gut" } } })).status).toBe(200);
    expect((await change("POST", "/reissue", { data: { creditsEarned: -1 } })).status).toBe(400);
    expect((await change("POST", "/reissue", {})).status).toBe(201);
  });

  it("are refused if nothing describes them, because the document cannot state them", async () => {
    const w = await world();
    const token = await w.key();
    const templates = [await academic(w, (await publishedAchievement(w.ctx)).id), await academic(w)];
    for (const { id: templateId } of templates) {
      const issue = async (data: object) => {
        const body = { subject: { externalId: `n-${Math.random()}` }, templateId, data };
        const answer = await call("POST", "/v1/credentials", { token, body });
        return [answer.status, answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer];
      };
      expect(await issue({ results: { anything: "1" } })).toEqual([400, "/data/results/anything"]);
      expect(await issue({ results: ["1"] })).toEqual([400, "/data/results"]);
      expect(await issue({ creditsEarned: "twelve" })).toEqual([400, "/data/creditsEarned"]);
      expect(await issue({ creditsEarned: -5 })).toEqual([400, "/data/creditsEarned"]);
      expect(await issue({ creditsEarned: 12, results: null, own: [1] })).toEqual([201, undefined]);
      const { id } = await issued(w.ctx, templateId);
      const change = { token, body: { data: { results: { anything: "1" } } } };
      expect((await call("PATCH", `/v1/credentials/${id}`, change)).status).toBe(400);
    }
  });

  it("are checked against the achievement's new version when a reissue keeps them", async () => {
    const w = await world();
    const token = await w.key();
    const achievement = await publishedAchievement(w.ctx, content);
    const { id: templateId } = await academic(w, achievement.id);
    const kept = { results: { points: 80, grade: "gut" }, creditsEarned: 150 };
    const { id } = await issued(w.ctx, templateId, { data: kept });
    await createAchievementVersion(w.ctx, {
      id: achievement.id,
      publish: true,
      creditsAvailable: 120,
      resultDescriptions: [{ key: "points", name: "Points", resultType: "RawScore", valueMin: "0", valueMax: "10" }],
    });
    const reissue = (body: object) => call("POST", `/v1/credentials/${id}/reissue`, { token, body });
    const refused = await reissue({});
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { code: "data_outdated", credentialId: id, errors: expect.any(Array) },
    ]);
    const pointers = refused.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(["/data/creditsEarned", "/data/results/grade", "/data/results/points"]);
    expect((await getCredential(w.ctx, { id })).state).toBe("active");
    expect((await reissue({ data: { results: { points: 8 }, creditsEarned: 120 } })).status).toBe(201);
  });

  it("are numbers if their type says so", async () => {
    const w = await world();
    const types = ["Percent", "GradePointAverage", "RawScore", "ScaledScore"] as const;
    const achievement = await publishedAchievement(w.ctx, {
      resultDescriptions: types.map((resultType) => ({ key: resultType, name: resultType, resultType })),
    });
    const { id: templateId } = await academic(w, achievement.id);
    for (const key of types)
      await expect(issued(w.ctx, templateId, { data: { results: { [key]: "very good" } } })).rejects.toMatchObject({
        code: "invalid_request",
      });
    for (const mark of ["150", "-5", 100.5])
      await expect(issued(w.ctx, templateId, { data: { results: { Percent: mark } } })).rejects.toMatchObject({
        extras: { errors: [{ message: expect.stringContaining("from 0 to 100") }] },
      });
    const above = await publishedAchievement(w.ctx, {
      resultDescriptions: [{ key: "mark", name: "Mark", resultType: "Percent", valueMax: "120" }],
    });
    const extra = { data: { results: { mark: "110" } } };
    expect((await issued(w.ctx, (await academic(w, above.id)).id, extra)).data).toMatchObject(extra.data);
    const results = { Percent: "12.5", GradePointAverage: 4, RawScore: -1, ScaledScore: "0" };
    expect((await issued(w.ctx, templateId, { data: { results } })).data).toMatchObject({ results });
  });

  it("are described without contradictions", async () => {
    const w = await world();
    const token = await w.key();
    const make = async (description: object) => {
      const body = {
        name: "Course",
        description: "A course.",
        criteria: { narrative: "Pass." },
        tags: ["a", "a", "b"],
        resultDescriptions: [{ key: "points", name: "Points", resultType: "RawScore", ...description }],
      };
      return (await call("POST", "/v1/achievements", { token, body })).json();
    };
    expect(await make({ valueMin: "10", valueMax: "1" })).toMatchObject({
      errors: [{ pointer: "/resultDescriptions/0/valueMax" }],
    });
    const contradictory: [object, string][] = [
      [{ valueMin: "low" }, "valueMin"],
      [{ valueMax: "1e3" }, "valueMax"],
      [{ resultType: "LetterGrade", valueMin: "F" }, "valueMin"],
      [{ valueMin: "0", valueMax: "10", requiredValue: "11" }, "requiredValue"],
      [{ requiredValue: "many" }, "requiredValue"],
      [{ valueMax: "10", allowedValues: ["5", "50"] }, "allowedValues/1"],
      [{ resultType: "Percent", allowedValues: ["half"] }, "allowedValues/0"],
      [{ resultType: "Status", requiredValue: "Done" }, "requiredValue"],
      [{ resultType: "LetterGrade", rubricLevels: [{ key: "a", name: "A" }] }, "rubricLevels"],
    ];
    for (const [description, path] of contradictory)
      expect([description, await make(description)]).toMatchObject([
        description,
        { status: 400, errors: [{ pointer: `/resultDescriptions/0/${path}` }] },
      ]);
    expect(await make({ allowedValues: ["1", "1"] })).toMatchObject({
      errors: [{ pointer: "/resultDescriptions/0/allowedValues/1", code: "repeated" }],
    });
    expect(await make({})).toMatchObject({ version: { tags: ["a", "b"] } });
  });
});
