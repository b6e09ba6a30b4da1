import { readFile } from "node:fs/promises";
import { newOrganisation } from "./fixtures/organisation";
import type { Design } from "../server/templates/design";
import { expect, test } from "./fixtures/test";

interface Described {
  version: { resultDescriptions: { key: string }[] };
}

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
  await page
    .getByLabel("How it is earned")
    .fill("**120 credits**, of which:\n\n- 30 for the [thesis](https://example.org/thesis)\n- <b>90</b> for courses");
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
  await expect(page.locator("strong", { hasText: "120 credits" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "<b>90</b> for courses" })).toBeVisible();
  const thesis = page.getByRole("link", { name: "thesis", exact: true });
  await expect(thesis).toHaveAttribute("rel", /noopener/);
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
  const noFiles = page.getByText("Holders get no files");
  await expect(noFiles).toBeVisible();
  await expect(page.getByText(/would state the result “Final grade” and the credits/)).toBeVisible();
  await page.getByRole("button", { name: "Add field" }).click();
  await page
    .getByRole("button", { name: /What .* shows/ })
    .last()
    .click();
  await page.getByRole("option", { name: "Result: Final grade" }).click();
  await expect(page.getByRole("textbox", { name: "Path" })).toHaveCount(0);
  await page.getByRole("button", { name: "Show results and credits" }).click();
  await expect(noFiles).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Show results and credits" })).toBeDisabled();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("link", { name: "Master of Science" }).click();
  await expect(page).toHaveURL(new RegExp(`/achievements/${id}$`));
  const templates = await organisation.api<{ data: { id: string }[] }>("GET", "/v1/templates");
  const { version } = await organisation.api<{ version: { design: Design } }>(
    "GET",
    `/v1/templates/${templates.data[0]!.id}`,
  );
  const fields = version.design.front!.fields;
  const key = data[0] && (await organisation.api<Described>("GET", `/v1/achievements/${id}`));
  const grade = key!.version.resultDescriptions[0]!.key;
  expect(fields.filter(({ binding }) => binding?.startsWith("credential.data"))).toMatchObject([
    { label: "Final grade", binding: `credential.data.results.${grade}` },
    { label: "Credits", binding: "credential.data.creditsEarned" },
  ]);
  expect(version.design.publicFields).toEqual(expect.arrayContaining(fields.slice(-2).map((field) => field.key)));
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
    criteria: { narrative: "Pass **all** examinations. ![logo](https://tracker.example/logo.png)" },
    resultDescriptions: [{ key: "grade", name: "Final grade", resultType: "LetterGrade" }],
    publish: true,
  });
  const template = await post("/v1/templates", {
    name: "Degree",
    kind: "academic",
    achievementId: achievement.id,
    design: {
      publicFields: ["grade"],
      front: { fields: [{ key: "grade", label: "Grade", binding: "credential.data.results.grade" }] },
    },
    publish: true,
  });
  const { id, code } = await post<{ id: string; code: string }>("/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
    data: { results: { grade: "A" } },
  });
  await page.goto(`${service.url}/c/${code}`);
  await expect(page.getByRole("heading", { name: "Master of Optics" })).toBeVisible();
  await expect(page.locator("strong", { hasText: "all" })).toBeVisible();
  await expect(page.locator("img[src*=tracker]")).toHaveCount(0);
  const download = async (name: string) => {
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name }).click();
    const file = await downloading;
    return { name: file.suggestedFilename(), buffer: await readFile(await file.path()) };
  };
  const pdf = await download("Certificate (PDF)");
  expect([pdf.name, pdf.buffer.toString("latin1", 0, 5)]).toEqual([`certificate-${code}.pdf`, "%PDF-"]);
  const badge = await download("Badge (PNG)");
  expect(badge.name).toBe(`badge-${code}.png`);
  expect((await download("Badge (SVG)")).buffer.toString()).toContain("<openbadges:credential");
  const document = await download("Signed credential (JSON)");
  expect(document.name).toBe(`credential-${code}.json`);
  const profile = page.getByRole("link", { name: "Add to LinkedIn profile" });
  await expect(profile).toHaveAttribute(
    "href",
    new RegExp(`^https://www\\.linkedin\\.com/profile/add\\?.*certId=${code}`),
  );
  const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect(await (await page.request.get(preview!)).headers()["content-type"]).toBe("image/png");

  const upload = async () => {
    await page.goto(`${service.url}/verify`);
    await page
      .getByLabel("Choose a picture or file")
      .setInputFiles({ name: badge.name, mimeType: "image/png", buffer: badge.buffer });
  };
  await upload();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(page.getByText("Master of Optics").first()).toBeVisible();
  await expect(page.getByText("Awarding University").first()).toBeVisible();
  await expect(page.getByText("Name confirmed")).toBeVisible();
  await expect(page.getByText("Nobody confirms who the issuer is")).toHaveCount(0);
  await expect(page.locator("[data-holder]").getByText("Ada Lovelace")).toBeVisible();
  // The card labels the result differently than the achievement. It is shown only once.
  await expect(page.getByText("Grade", { exact: true })).toHaveCount(1);
  await expect(page.locator("strong", { hasText: "all" })).toBeVisible();
  await expect(page.locator("img[src*=tracker]")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "See the credential" })).toHaveAttribute("href", `/c/${code}`);

  await post(`/v1/credentials/${id}/revoke`, { reason: "Plagiarism" });
  await upload();
  await expect(page.getByRole("heading", { name: "Revoked", exact: true })).toBeVisible();
  await expect(page.getByText(/revoked by its issuer.*Plagiarism/)).toBeVisible();
});

test("sharing from the public page is an event, and the console saves the files of a degree", async ({
  page,
  context,
  service,
}) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const organisation = await newOrganisation(service, "Sharing University");
  const post = (path: string, body: object) => organisation.api<{ id: string; code: string }>("POST", path, body);
  const template = await post("/v1/templates", { name: "Degree", kind: "academic", publish: true });
  const { id, code } = await post("/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await page.goto(`${service.url}/c/${code}`);
  const told = page.waitForResponse((answer) => answer.url().endsWith("/share"));
  await page.getByRole("button", { name: "Copy link" }).click();
  expect((await told).status()).toBe(204);
  await expect(async () => {
    const { data } = await organisation.api<{ data: { data: { object: object } }[] }>(
      "GET",
      "/v1/events?type=credential.shared",
    );
    expect(data.map((event) => event.data.object)).toMatchObject([{ id, channel: "link", count: 1 }]);
  }).toPass();

  await organisation.enter(page);
  await page.goto(`${service.url}/credentials/${id}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await page.getByRole("menuitem", { name: "Certificate (PDF)" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`certificate-${code}.pdf`);
  expect((await readFile(await file.path())).toString("latin1", 0, 5)).toBe("%PDF-");
});

test("the console warns of a certificate that names nobody, and of an achievement that stops templates", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Warned University");
  const { id: achievementId } = await organisation.api<{ id: string }>("POST", "/v1/achievements", {
    name: "Bachelor of Arts",
    description: "Three years of study.",
    criteria: { narrative: "180 credits." },
    publish: true,
  });
  const { id: templateId } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Degree certificate",
    kind: "academic",
    achievementId,
    publish: true,
  });
  const subject = { externalId: "nobody", attributes: { dept: "Arts" } };
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/credentials", { subject, templateId });
  await organisation.api("PUT", "/v1/subjects", { externalId: "also-nobody", attributes: { dept: "Arts" } });
  const policy = await organisation.api<{ id: string }>("POST", "/v1/policies", {
    name: "Graduates",
    templateId,
    rule: { field: "attributes.dept", op: "eq", value: "Arts" },
  });
  await organisation.enter(page);
  await page.goto(`${service.url}/credentials/${id}`);
  await expect(page.getByText("It names nobody")).toBeVisible();
  await page.goto(`${service.url}/policies/${policy.id}`);
  await expect(page.getByText("No name: the certificate would name nobody").first()).toBeVisible();
  await page.goto(`${service.url}/achievements/${achievementId}`);
  await page.getByRole("button", { name: "Actions for version 1" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(page.getByText(/nothing can be issued from the published template that names this/)).toBeVisible();
});
