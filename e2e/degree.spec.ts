import { readFile } from "node:fs/promises";
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
  await post("/v1/templates", {
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
  await test.step("issue, with a link that is none first", async () => {
    await page.goto(`${service.url}/subjects/${id}`);
    await page.getByRole("button", { name: "Issue credential" }).first().click();
    await dialog.getByRole("combobox", { name: "Template" }).click();
    await page.getByRole("option", { name: /^Degree/ }).click();
    await dialog.getByRole("button", { name: "Grade" }).click();
    await page.getByRole("option", { name: "A", exact: true }).click();
    await dialog.getByLabel("Credits").fill("120");
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
    await expect(page.getByText("Credential issued")).toBeVisible();
  });
  const { data } = await organisation.api<{ data: { id: string; code: string; data: object }[] }>(
    "GET",
    `/v1/subjects/${id}/credentials`,
  );
  const [credential] = data;
  expect(credential!.data).toMatchObject({
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
