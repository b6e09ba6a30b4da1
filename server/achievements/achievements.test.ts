import { describe, expect, it } from "vitest";
import { listAudit } from "@/server/access/list-audit";
import { draftAchievement, publishedAchievement } from "@/server/testing/achievements";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { archiveAchievementVersion } from "./archive-version";
import { createAchievementVersion } from "./create-version";
import { getAchievement } from "./get";
import { getAchievementVersion } from "./get-version";
import { listAchievements } from "./list";
import { publishAchievementVersion } from "./publish-version";
import { unarchiveAchievementVersion } from "./unarchive-version";
import { updateAchievement } from "./update";
import { updateAchievementVersion } from "./update-version";

const typesOf = async (w: World) => (await eventsOf(w.orgId)).map((event) => event.type);

const degree = {
  name: "Master of Science",
  description: "Two years of study.\n\nWith a thesis.",
  criteria: { narrative: "**120 credits**", url: "https://example.edu/msc" },
  achievementType: "MasterDegree",
  tags: ["science"],
  alignments: [{ targetName: "EQF 7", targetUrl: "https://example.org/eqf/7", targetType: "ext:Level" }],
  resultDescriptions: [
    { key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B", "F"], requiredValue: "B" },
    {
      key: "thesis",
      name: "Thesis",
      resultType: "RubricCriterionLevel",
      rubricLevels: [
        { key: "pass", name: "Passed" },
        { key: "best", name: "With distinction", points: "5" },
      ],
      requiredLevel: "pass",
    },
  ],
  creditsAvailable: 120,
  fieldOfStudy: "Physics",
  specialization: "Optics",
  humanCode: "MSC-1",
  inLanguage: "en",
};

describe("POST /v1/achievements", () => {
  it("creates an achievement with a draft, keeps every field, and emits achievement.created", async () => {
    const w = await world();
    const { name, ...content } = degree;
    const answer = await call("POST", "/v1/achievements", { token: await w.key(), body: degree });
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      {
        object: "achievement",
        name,
        status: "draft",
        currentVersion: null,
        version: { object: "achievement_version", version: 1, status: "draft", name, ...content, publishedAt: null },
      },
    ]);
    expect(await typesOf(w)).toEqual(["achievement.created"]);
  });

  it("publishes the first version at once with publish", async () => {
    const w = await world();
    const { id } = await publishedAchievement(w.ctx);
    expect(await getAchievement(w.ctx, { id })).toMatchObject({
      status: "published",
      currentVersion: 1,
      version: { status: "published", publishedAt: w.ctx.now.toISOString(), achievementType: null, tags: [] },
    });
    expect((await eventsOf(w.orgId))[1]).toMatchObject({
      type: "achievement.version.published",
      data: { object: { achievementId: id, version: 1, status: "published" }, previous: { status: "draft" } },
    });
  });

  it.each([
    ["/name", { name: "" }],
    ["/description", { description: undefined }],
    ["/criteria/narrative", { criteria: {} }],
    ["/criteria/url", { criteria: { url: "javascript:alert(1)" } }],
    ["/achievementType", { achievementType: "Doctorate" }],
    ["/achievementType", { achievementType: "ext:" }],
    ["/achievementType", { achievementType: 7 }],
    ["/alignments/0/targetUrl", { alignments: [{ targetName: "Any", targetUrl: "ftp://example.org/" }] }],
    [
      "/resultDescriptions/1/key",
      { resultDescriptions: [1, 2].map(() => ({ key: "a", name: "A", resultType: "Result" })) },
    ],
    [
      "/resultDescriptions/0/requiredValue",
      {
        resultDescriptions: [
          { key: "a", name: "A", resultType: "LetterGrade", allowedValues: ["A"], requiredValue: "B" },
        ],
      },
    ],
    [
      "/resultDescriptions/0/allowedValues/1",
      {
        resultDescriptions: [{ key: "a", name: "A", resultType: "Status", allowedValues: ["Completed", "Finished"] }],
      },
    ],
    [
      "/resultDescriptions/0/requiredLevel",
      { resultDescriptions: [{ key: "a", name: "A", resultType: "RawScore", requiredLevel: "none" }] },
    ],
    [
      "/resultDescriptions/0/rubricLevels",
      { resultDescriptions: [{ key: "a", name: "A", resultType: "RubricCriterionLevel" }] },
    ],
    ["/creditsAvailable", { creditsAvailable: -1 }],
    ["/inLanguage", { inLanguage: "English" }],
    ["/image", { image: "https://example.edu/image.png" }],
  ])("refuses a wrong %s", async (pointer, wrong) => {
    const w = await world();
    const answer = await call("POST", "/v1/achievements", { token: await w.key(), body: { ...degree, ...wrong } });
    expect([answer.status, (answer.json()["errors"] as { pointer: string }[])[0]?.pointer]).toEqual([400, pointer]);
  });
});

it.each<[string, object, string]>([
  ["/achievementType", { achievementType: "Doctorate" }, "DoctoralDegree"],
  ["/achievementType", { achievementType: "ext:" }, "DoctoralDegree"],
  ["/achievementType", { achievementType: "masterdegree" }, "MasterDegree"],
  [
    "/resultDescriptions/0/resultType",
    { resultDescriptions: [{ key: "a", name: "A", resultType: "Grade" }] },
    "LetterGrade",
  ],
  [
    "/alignments/0/targetType",
    { alignments: [{ targetName: "A", targetUrl: "https://example.org", targetType: "Skill" }] },
    "ceasn:Competency",
  ],
])("an unknown %s is refused with the known types, and how to use another: %j", async (pointer, wrong, type) => {
  const w = await world();
  const token = await w.key();
  const { id } = await draftAchievement(w.ctx);
  const body = { description: "A degree.", criteria: { narrative: "Pass." }, ...wrong };
  for (const answer of [
    await call("POST", "/v1/achievements", { token, body: { ...degree, ...wrong } }),
    await call("POST", `/v1/achievements/${id}/versions`, { token, body }),
  ]) {
    const [error] = answer.json<{ errors: { pointer: string; message: string }[] }>().errors;
    expect([answer.status, error!.pointer]).toEqual([400, pointer]);
    expect(error!.message).toContain(type);
    expect(error!.message).toContain("begin with ext:");
    expect(answer.json()["detail"]).toContain(type);
  }
});

describe("an achievement", () => {
  it("that is renamed keeps the name of its published versions, and later versions have the new one", async () => {
    const w = await world();
    const { id } = await publishedAchievement(w.ctx, { name: "Old" });
    expect(await updateAchievement(w.ctx, { id, name: "New" })).toMatchObject({ name: "New" });
    await updateAchievement(w.ctx, { id, name: "New" });
    expect(await getAchievementVersion(w.ctx, { id, version: 1 })).toMatchObject({ name: "Old" });
    expect(await createAchievementVersion(w.ctx, { id, publish: true })).toMatchObject({ version: 2, name: "New" });
    expect(await publishAchievementVersion(w.ctx, { id, version: 1 })).toMatchObject({ name: "Old" });
    const changes = (await eventsOf(w.orgId)).filter(({ type }) => type === "achievement.updated");
    expect(changes).toMatchObject([{ data: { object: { name: "New" }, previous: { name: "Old" } } }]);
  });

  it("is listed by status and search text", async () => {
    const w = await world();
    const draft = await draftAchievement(w.ctx, { name: "Été in Physics" });
    const published = await publishedAchievement(w.ctx);
    const found = async (filter: Parameters<typeof listAchievements>[1]) =>
      (await listAchievements(w.ctx, filter)).data.map((each) => each.id);
    expect(await found({})).toEqual([published.id, draft.id]);
    expect(await found({ status: "draft" })).toEqual([draft.id]);
    expect(await found({ q: "physics ETE" })).toEqual([draft.id]);
    expect(await found({ sort: "name" })).toEqual([published.id, draft.id]);
    expect(await listAchievements(w.ctx, { limit: 1, offset: 1 })).toMatchObject({
      data: [{ id: draft.id }],
      total: 2,
    });
  });

  it("of another organisation is not found", async () => {
    const [w, other] = [await world(), await world()];
    const { id } = await publishedAchievement(w.ctx);
    const token = await other.key();
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/versions"],
      ["POST", "/versions"],
      ["GET", "/versions/1"],
      ["PATCH", "/versions/1"],
      ["POST", "/versions/1/publish"],
      ["POST", "/versions/1/archive"],
      ["POST", "/versions/1/unarchive"],
    ] as const) {
      const sent = { token, ...(method !== "GET" && method !== "DELETE" && { body: {} }) };
      expect([path, (await call(method, `/v1/achievements/${id}${path}`, sent)).status]).toEqual([path, 404]);
    }
  });

  it("is deleted if it was never published and has not changed since it was read", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await draftAchievement(w.ctx);
    const tag = (await call("GET", `/v1/achievements/${id}`, { token })).headers.get("etag")!;
    await updateAchievement(w.ctx, { id, name: "Kept" });
    const stale = await call("DELETE", `/v1/achievements/${id}`, { token, headers: { "if-match": tag } });
    expect(stale.status).toBe(412);
    const renamed = (await call("GET", `/v1/achievements/${id}`, { token })).headers.get("etag")!;
    await createAchievementVersion(w.ctx, { id });
    const unseen = await call("DELETE", `/v1/achievements/${id}`, { token, headers: { "if-match": renamed } });
    expect(unseen.status).toBe(412);
    expect((await call("DELETE", `/v1/achievements/${id}`, { token })).status).toBe(204);
    expect((await call("GET", `/v1/achievements/${id}/versions/1`, { token })).status).toBe(404);
    expect((await listAudit(w.ctx, {})).data[0]).toMatchObject({
      action: "achievement.deleted",
      target: { type: "achievement", id },
    });
    const used = await publishedAchievement(w.ctx);
    await archiveAchievementVersion(w.ctx, { id: used.id, version: 1 });
    const answer = await call("DELETE", `/v1/achievements/${used.id}`, { token });
    expect([answer.status, answer.json()["code"]]).toEqual([409, "achievement_in_use"]);
  });
});

describe("versions of an achievement", () => {
  it("copy omitted fields from the newest one, and null empties a field", async () => {
    const w = await world();
    const { id } = await publishedAchievement(w.ctx, degree);
    const second = await createAchievementVersion(w.ctx, { id, basedOn: 1, specialization: null, tags: [] });
    expect(second).toMatchObject({
      version: 2,
      status: "draft",
      fieldOfStudy: "Physics",
      specialization: null,
      tags: [],
    });
    await expect(createAchievementVersion(w.ctx, { id, basedOn: 1 })).rejects.toMatchObject({
      code: "precondition_failed",
    });
    expect(await getAchievement(w.ctx, { id })).toMatchObject({ version: { version: 1, specialization: "Optics" } });
  });

  it("can be changed only as drafts, and only if unchanged since they were read", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await draftAchievement(w.ctx);
    const path = `/v1/achievements/${id}/versions/1`;
    const tag = (await call("GET", path, { token })).headers.get("etag")!;
    await updateAchievement(w.ctx, { id, name: "A new name leaves the version as it was" });
    const headers = { "if-match": tag };
    expect((await call("PATCH", path, { token, headers, body: { creditsAvailable: 6 } })).json()).toMatchObject({
      creditsAvailable: 6,
      description: "A course about any subject.",
    });
    expect((await call("PATCH", path, { token, headers, body: {} })).status).toBe(412);
    await publishAchievementVersion(w.ctx, { id, version: 1 });
    const answer = await call("PATCH", path, { token, body: { creditsAvailable: 7 } });
    expect([answer.status, answer.json()["code"]]).toEqual([409, "version_not_draft"]);
    expect(await auditOf(w.orgId)).toContain("achievement_version.updated");
    expect(await getAchievementVersion(w.ctx, { id, version: 1 })).toMatchObject({ creditsAvailable: 6 });
  });

  it("are archived and unarchived, and the achievement's status follows", async () => {
    const w = await world();
    const { id } = await publishedAchievement(w.ctx);
    await archiveAchievementVersion(w.ctx, { id, version: 1 });
    expect(await getAchievement(w.ctx, { id })).toMatchObject({ status: "archived", currentVersion: null });
    await expect(publishAchievementVersion(w.ctx, { id, version: 1 })).rejects.toMatchObject({ code: "version_state" });
    await unarchiveAchievementVersion(w.ctx, { id, version: 1 });
    expect(await getAchievement(w.ctx, { id })).toMatchObject({ status: "published", currentVersion: 1 });
    expect(await typesOf(w)).toEqual([
      "achievement.created",
      "achievement.version.published",
      "achievement.version.archived",
      "achievement.updated",
    ]);
    expect((await eventsOf(w.orgId)).at(-1)).toMatchObject({ data: { previous: { status: "archived" } } });
  });

  it("are archived with a warning that names the templates which can then issue nothing", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await publishedAchievement(w.ctx);
    await publishedTemplate(w.ctx, { name: "Bound", kind: "academic", achievementId: id });
    await publishedTemplate(w.ctx, { name: "Draft", kind: "academic", achievementId: id, publish: false });
    await publishedTemplate(w.ctx, { name: "Free", kind: "academic" });
    await createAchievementVersion(w.ctx, { id, publish: true });
    expect(await getAchievement(w.ctx, { id })).toMatchObject({ templateCount: 1 });
    const archive = async (version: number) => {
      const answer = await call("POST", `/v1/achievements/${id}/versions/${version}/archive`, { token, body: {} });
      expect(answer.status).toBe(200);
      return answer;
    };
    expect((await archive(1)).json()).toMatchObject({ status: "archived", warnings: [] });
    const stopped = await archive(2);
    expect(stopped.json()).toMatchObject({
      status: "archived",
      warnings: [{ code: "templates_stopped", message: expect.stringMatching(/^1 published template names/) }],
    });
    expect((await archive(2)).json()["warnings"]).toEqual(stopped.json()["warnings"]);
    const read = await call("GET", `/v1/achievements/${id}/versions/2`, { token });
    const tagOf = (answer: typeof read) => answer.headers.get("etag")!.split(".")[0];
    expect(tagOf(read)).toBe(tagOf(stopped));
    const other = await publishedAchievement(w.ctx, { name: "Unbound" });
    expect(await archiveAchievementVersion(w.ctx, { id: other.id, version: 1 })).toMatchObject({ warnings: [] });
  });

  it("publish once, however often it is requested", async () => {
    const w = await world();
    const { id } = await draftAchievement(w.ctx);
    await updateAchievementVersion(w.ctx, { id, version: 1, humanCode: "X" });
    await Promise.all([1, 2, 3].map(() => publishAchievementVersion(w.ctx, { id, version: 1 })));
    expect((await typesOf(w)).filter((type) => type === "achievement.version.published")).toHaveLength(1);
  });
});
