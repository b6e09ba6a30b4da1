import { readFile } from "node:fs/promises";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a registrar writes an achievement, publishes it, and has a template's credentials state it", async ({
  page,
  service,
}) => {
  test.slow();
  const organisation = await newOrganisation(service, "Graduating University");
  await organisation.enter(page);
  await page.goto(`${service.url}/achievements`);
  await page.getByRole("link", { name: "New achievement" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Master of Science");
  await page.getByLabel("Description").fill("Two years of study.\n\nWith a thesis.");
  await page.getByLabel("How it is earned").fill("120 credits.");
  await page.getByRole("button", { name: "Type" }).click();
  await page.getByRole("option", { name: "Master degree", exact: true }).click();
  await page.getByLabel("Credits").fill("many");
  await page.getByRole("button", { name: "Add framework" }).click();
  await page.getByLabel("What it corresponds to").fill("Master’s degree");
  await page.getByLabel("Its page").fill("https://example.org/eqf/7");
  await page.getByRole("button", { name: "Add result" }).click();
  await page.getByLabel("Result", { exact: true }).fill("Final grade");
  await page.getByLabel("Possible values").fill("A, B, F");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Must be a number.")).toBeVisible();
  await page.getByLabel("Credits").fill("120");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("No credential can state it until a version is published.")).toBeVisible();

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByLabel("Possible values")).toHaveValue("A, B, F");
  await page.getByLabel("Needed to pass").fill("B");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Version 1 published").first()).toBeVisible();
  const { data } = await organisation.api<{ data: { id: string }[] }>("GET", "/v1/achievements");
  const id = data[0]!.id;
  expect(await organisation.api("GET", `/v1/achievements/${id}`)).toMatchObject({
    status: "published",
    version: {
      achievementType: "MasterDegree",
      creditsAvailable: 120,
      description: "Two years of study.\n\nWith a thesis.",
      resultDescriptions: [{ name: "Final grade", allowedValues: ["A", "B", "F"], requiredValue: "B" }],
    },
  });

  await page.goto(`${service.url}/templates/new`);
  await page.getByLabel("Name", { exact: true }).fill("Degree certificate");
  await page.getByRole("button", { name: "Kind" }).click();
  await page.getByRole("option", { name: /^Academic/ }).click();
  await page.getByRole("button", { name: "Credentials state" }).click();
  await page.getByRole("option", { name: "Master of Science" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("link", { name: "Master of Science" }).click();
  await expect(page).toHaveURL(new RegExp(`/achievements/${id}$`));
});

test("a degree is downloaded from its public page, and verified by upload until it is revoked", async ({
  page,
  service,
}) => {
  test.slow();
  const { api } = await newOrganisation(service, "Awarding University");
  const post = <T extends object = { id: string }>(path: string, body: object) => api<T>("POST", path, body);
  const achievement = await post("/v1/achievements", {
    name: "Master of Optics",
    description: "Two years of study.",
    criteria: { narrative: "Pass." },
    publish: true,
  });
  const template = await post("/v1/templates", {
    name: "Degree",
    kind: "academic",
    achievementId: achievement.id,
    publish: true,
  });
  const { id, code } = await post<{ id: string; code: string }>("/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await page.goto(`${service.url}/c/${code}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the credential" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`credential-${code}.json`);
  const buffer = await readFile(await download.path());
  const upload = async () => {
    await page.goto(`${service.url}/verify`);
    await page
      .getByLabel("Choose a picture or file")
      .setInputFiles({ name: "credential.json", mimeType: "application/json", buffer });
  };
  await upload();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(page.getByText("Master of Optics").first()).toBeVisible();

  await post(`/v1/credentials/${id}/revoke`, { reason: "Plagiarism" });
  await upload();
  await expect(page.getByRole("heading", { name: "Revoked", exact: true })).toBeVisible();
});
