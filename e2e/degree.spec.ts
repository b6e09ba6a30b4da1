import { readFile } from "node:fs/promises";
import { findAndChoose } from "./fixtures/find";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a degree with a result, credits and evidence is issued in the console, shared, verified by upload, and revoked", async ({
  page,
  context,
  service,
}) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const organisation = await newOrganisation(service, "Evident University");
  const post = (path: string, body: object) => organisation.api<{ id: string }>("POST", path, body);
  const achievement = await post("/v1/achievements", {
    name: "Master of Optics",
    description: "Two years of study.",
    criteria: { narrative: "Pass all examinations." },
    resultDescriptions: [{ key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"] }],
    creditsAvailable: 120,
    publish: true,
  });
  const template = await post("/v1/templates", {
    name: "Degree",
    kind: "academic",
    achievementId: achievement.id,
    publish: true,
    design: {
      publicFields: ["grade", "credits", "evidence"],
      front: {
        fields: [
          { key: "grade", label: "Grade", binding: "credential.data.results.grade" },
          { key: "credits", label: "Credits", binding: "credential.data.creditsEarned" },
          { key: "evidence", label: "Evidence", binding: "credential.data.evidence" },
        ],
      },
    },
  });
  const { id } = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
  });
  await organisation.enter(page);

  const dialog = page.getByRole("dialog", { name: "Issue a credential" });
  await test.step("issue it, after a link was refused", async () => {
    await page.goto(`${service.url}/subjects/${id}`);
    await page.getByRole("button", { name: "Issue credential" }).first().click();
    await findAndChoose(page, dialog.getByRole("combobox", { name: "Template" }), "Degree", /^Degree/);
    await dialog.getByRole("button", { name: "Grade" }).click();
    await page.getByRole("option", { name: "A", exact: true }).click();
    await dialog.getByLabel("Credits").fill("120");
    await dialog.getByRole("textbox", { name: "Awarded on" }).fill("01/07/2020");
    await dialog.getByRole("button", { name: "Add evidence" }).click();
    await dialog.getByRole("button", { name: "Add evidence" }).click();
    const thesis = dialog.getByRole("group", { name: "Evidence 2" });
    await thesis.getByLabel("Name").fill("Thesis on lenses");
    await thesis.getByLabel("Kind").fill("Thesis");
    await thesis.getByLabel("Link").fill("example.edu/thesis.pdf");
    await thesis.getByLabel("What it shows").fill("Forty **lenses**, ground by hand.");
    await dialog.getByRole("button", { name: "Issue credential" }).click();
    await expect(thesis.getByText("Must be a URL that begins with https:// or http://")).toBeVisible();
    await thesis.getByLabel("Link").fill("https://example.edu/thesis.pdf");
    await dialog.getByRole("button", { name: "Issue credential" }).click();
    await expect(page.getByRole("region", { name: /notification/ }).getByText("Credential issued")).toBeVisible();
  });
  const { data } = await organisation.api<{ data: { id: string; code: string; data: object }[] }>(
    "GET",
    `/v1/subjects/${id}/credentials`,
  );
  const [credential] = data;
  expect(credential!.data).toMatchObject({
    awardedDate: "2020-07-01",
    results: { grade: "A" },
    creditsEarned: 120,
    evidence: [
      {
        name: "Thesis on lenses",
        genre: "Thesis",
        url: "https://example.edu/thesis.pdf",
        narrative: "Forty **lenses**, ground by hand.",
      },
    ],
  });

  const document = await organisation.api("GET", `/v1/credentials/${credential!.id}/credential.json`);
  // Noon in UTC of that day, which falls within that day in every zone.
  expect(document).toMatchObject({ awardedDate: "2020-07-01T12:00:00Z" });

  const badge = await test.step("share it, and save its badge from the public page", async () => {
    await page.goto(`${service.url}/c/${credential!.code}`);
    await expect(page.getByText("Thesis on lenses (Thesis)")).toBeVisible();
    await expect(page.locator("strong", { hasText: "lenses" })).toBeVisible();
    await expect(page.getByRole("link", { name: "https://example.edu/thesis.pdf" })).toHaveAttribute("rel", /noopener/);
    const shared = page.waitForResponse((answer) => answer.url().endsWith("/share"));
    await page.getByRole("button", { name: "Copy link" }).click();
    expect((await shared).status()).toBe(204);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(credential!.code);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Badge (PNG)" }).click();
    return readFile(await (await downloading).path());
  });

  const upload = async () => {
    await page.goto(`${service.url}/verify`);
    await page
      .getByLabel("Choose a picture or file")
      .setInputFiles({ name: "badge.png", mimeType: "image/png", buffer: badge });
  };
  await test.step("verify it by upload", async () => {
    await upload();
    await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
    await expect(page.getByText("Thesis on lenses (Thesis)")).toBeVisible();
    await expect(page.locator("[data-holder]").getByText("Ada Lovelace")).toBeVisible();
  });

  await test.step("read its award in the console", async () => {
    await page.goto(`${service.url}/credentials/${credential!.id}`);
    const results = page.getByRole("table", { name: "Results" });
    await expect(results.getByRole("row", { name: "Grade A" })).toBeVisible();
    await expect(page.getByText("120 of 120")).toBeVisible();
    await expect(page.getByRole("link", { name: "https://example.edu/thesis.pdf" })).toBeVisible();
    await expect(page.getByText('"creditsEarned"')).toHaveCount(0);
    await expect(page.getByText("Holders get no files")).toHaveCount(0);
  });

  await test.step("download the files of all chosen credentials as ZIP", async () => {
    await page.goto(`${service.url}/credentials`);
    await page.getByRole("checkbox", { name: /^Choose .*Ada Lovelace/ }).press("Space");
    await page.getByRole("region", { name: "Chosen rows" }).getByRole("button", { name: "Download files" }).click();
    const question = page.getByRole("dialog", { name: "Download the files of 1 credential" });
    await question.getByRole("checkbox", { name: /^Badges/ }).press("Space");
    const downloading = page.waitForEvent("download");
    await question.getByRole("button", { name: "Download ZIP" }).click();
    const saved = await downloading;
    expect(saved.suggestedFilename()).toMatch(/^credentials-[-\d]+\.zip$/);
    // A ZIP archive contains its file names as plain text.
    const bytes = (await readFile(await saved.path())).toString("latin1");
    const names = [...new Set(bytes.match(/(?:Ada Lovelace [\w-]+|index)\.(?:pdf|png|json|csv)/g))];
    expect(names).toEqual([
      `Ada Lovelace ${credential!.code}.pdf`,
      `Ada Lovelace ${credential!.code}.png`,
      "index.csv",
    ]);
    await expect(question).toBeHidden();
  });

  await test.step("an archive without some files says how many are missing", async () => {
    const erased = await organisation.api<{ subjectId: string }>("POST", "/v1/credentials", {
      subject: { externalId: "s-2", displayName: "Grace Hopper" },
      templateId: template.id,
      data: { results: { grade: "B" }, creditsEarned: 120 },
    });
    await page.goto(`${service.url}/credentials`);
    await page.getByRole("checkbox", { name: /^Choose .*Grace Hopper/ }).press("Space");
    await post(`/v1/subjects/${erased.subjectId}/erase`, { reason: "Asked", includeAcademic: true });
    await page.getByRole("region", { name: "Chosen rows" }).getByRole("button", { name: "Download files" }).click();
    const question = page.getByRole("dialog", { name: "Download the files of 1 credential" });
    const downloading = page.waitForEvent("download");
    await question.getByRole("button", { name: "Download ZIP" }).click();
    await downloading;
    await expect(question.getByText('1 file is missing. The column "problem" of index.csv says why.')).toBeVisible();
    await question.getByRole("button", { name: "Close" }).last().click();
    await expect(question).toBeHidden();
  });

  await test.step("revoke it in the console, and verify it again", async () => {
    await page.goto(`${service.url}/credentials/${credential!.id}`);
    await page.getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("dialog");
    await question.getByLabel(/public reason/i).fill("Plagiarism");
    await question.getByRole("button", { name: /revoke/i }).click();
    await expect(question).toBeHidden();
    await upload();
    await expect(page.getByRole("heading", { name: "Revoked", exact: true })).toBeVisible();
    await expect(page.getByText(/revoked by its issuer.*Plagiarism/)).toBeVisible();
  });
});

test("the form for issuing says that holders get no files once an entered value is not public", async ({
  page,
  service,
}) => {
  test.slow();
  const organisation = await newOrganisation(service, "Discreet University");
  const post = (path: string, body: object) => organisation.api<{ id: string; code: string }>("POST", path, body);
  const achievement = await post("/v1/achievements", {
    name: "Master of Optics",
    description: "Two years of study.",
    criteria: { narrative: "Pass all examinations." },
    resultDescriptions: [{ key: "studies", name: "Studies", resultType: "Status" }],
    publish: true,
  });
  const template = await post("/v1/templates", {
    name: "Degree",
    kind: "academic",
    achievementId: achievement.id,
    publish: true,
  });
  const { id } = await organisation.api<{ id: string }>("PUT", "/v1/subjects", { externalId: "s-1" });
  await organisation.enter(page);
  await page.goto(`${service.url}/subjects/${id}`);
  await page.getByRole("button", { name: "Issue credential" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Issue a credential" });
  await findAndChoose(page, dialog.getByRole("combobox", { name: "Template" }), "Degree", /^Degree/);
  await expect(dialog.getByRole("button", { name: "Studies" })).toBeVisible();
  await expect(dialog.getByText("Holders get no files")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Studies" }).click();
  await page.getByRole("option", { name: "In progress" }).click();
  await expect(dialog.getByText("Holders get no files")).toBeVisible();
  await expect(dialog.getByText(/would state the result “Studies”, which the public page does not show/)).toBeVisible();
  await expect(dialog.getByRole("link", { name: "the template" })).toHaveAttribute("href", `/templates/${template.id}`);
  await dialog.getByRole("button", { name: "Add evidence" }).click();
  await dialog.getByRole("group", { name: "Evidence 1" }).getByLabel("Name").fill("Thesis");
  await expect(dialog.getByText(/the result “Studies” and the evidence/)).toBeVisible();
  await dialog.getByRole("button", { name: "Issue credential" }).click();
  await expect(page.getByRole("region", { name: /notification/ }).getByText("Credential issued")).toBeVisible();

  const { data } = await organisation.api<{ data: { id: string; code: string }[] }>(
    "GET",
    `/v1/subjects/${id}/credentials`,
  );
  await page.goto(`${service.url}/credentials/${data[0]!.id}`);
  const row = page.getByRole("table", { name: "Results" }).getByRole("row", { name: "Studies In progress" });
  await expect(row).toBeVisible();
  await expect(page.getByText("Holders get no files")).toBeVisible();
  await page.goto(`${service.url}/c/${data[0]!.code}`);
  await expect(page.getByRole("link", { name: "Badge (PNG)" })).toHaveCount(0);
});
