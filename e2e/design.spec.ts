import { findAndChoose } from "./fixtures/find";
import { newOrganisation } from "./fixtures/organisation";
import { picture } from "./fixtures/picture";
import { expect, test } from "./fixtures/test";

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a registrar designs both sides of a card with a logo, publishes, compares, and a phone shows it", async ({
  page,
  service,
}) => {
  const { api, enter } = await newOrganisation(service, "Design University");
  await api("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
    attributes: { faculty: "Mathematics" },
  });
  const template = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Library card",
    kind: "membership",
    design: { front: { fields: [{ key: "number", label: "Number", binding: "subject.externalId" }] } },
    publish: true,
  });
  const first = await api<{ verifyUrl: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1" },
    templateId: template.id,
  });
  await enter(page);
  await page.goto(`/templates/${template.id}/edit`);
  await expect(page.getByText("1 live credential keeps its design")).toBeVisible();

  await test.step("unreadable colours are reported", async () => {
    await page.locator("input[type=color]").nth(1).fill("#123456");
    await expect(page.getByText("Hard to read on the background: contrast 1")).toBeVisible();
    await page.getByRole("button", { name: "Text: back to the default" }).click();
    await expect(page.getByText("Hard to read on the background")).toHaveCount(0);
  });

  await test.step("a logo, a field of a real person and its width", async () => {
    await page
      .getByRole("group", { name: "Logo" })
      .locator("input[type=file]")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: onePixel });
    await expect(page.getByRole("button", { name: "Remove logo" })).toBeVisible();
    await page.getByRole("button", { name: "Add field" }).click();
    await expect(page.getByRole("textbox", { name: "Label", exact: true }).nth(1)).toHaveValue("Faculty");
    await findAndChoose(page, page.getByRole("combobox", { name: "Preview with" }), "Ada", /Ada Lovelace/);
    await expect(page.getByText("Ada Lovelace: Mathematics")).toBeVisible();
    await page.getByRole("button", { name: /Where Faculty stands/ }).click();
    await page.getByRole("option", { name: "Half a row" }).click();
  });

  await test.step("the back, with a fixed text in two languages", async () => {
    await page
      .getByRole("group", { name: "Side whose fields are shown" })
      .getByRole("button", { name: "Back" })
      .click();
    await page.getByRole("button", { name: "Add field" }).click();
    await page.getByRole("button", { name: /What .* shows/ }).click();
    await page.getByRole("option", { name: "Fixed text…" }).click();
    await page.getByRole("textbox", { name: "Label", exact: true }).fill("Found this card?");
    await page.getByPlaceholder("Text", { exact: true }).fill("Please return it to the library.");
    await page.getByRole("button", { name: "Text in several languages" }).click();
    await page.getByRole("textbox", { name: "Text, German" }).fill("Bitte in der Bibliothek abgeben.");
    await page.getByText("Anyone may see it").click();
    await expect(page.getByRole("img", { name: /^Back of Library card/ })).toContainText(
      "Please return it to the library.",
    );
    await page.getByRole("button", { name: /Language of the reader/ }).click();
    await page.getByRole("option", { name: "German" }).click();
    await expect(page.getByRole("img", { name: /^Rückseite von Library card/ })).toContainText(
      "Bitte in der Bibliothek abgeben.",
    );
  });

  await picture(page, "the designer");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Version 2 published")).toBeVisible();

  await test.step("both versions are compared", async () => {
    await page.getByRole("button", { name: "Actions for version 1" }).click();
    await page.getByRole("menuitem", { name: "Compare…" }).click();
    const changes = page.getByRole("list", { name: "What changed" });
    await expect(changes).toContainText("The logo is new.");
    await expect(changes).toContainText("The field “Faculty” is new, on the front.");
    await expect(changes).toContainText("The field “Found this card?” is new, on the back, and public.");
  });

  await test.step("the existing card shows the new design after the number of cards was confirmed", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for version 2" }).click();
    await page.getByRole("menuitem", { name: "Show on live credentials…" }).click();
    await expect(page.getByText("1 live credential of Library card will show this design,")).toBeVisible();
    await page.getByRole("button", { name: "Change 1 live credential" }).click();
    await expect(page.getByRole("progressbar", { name: "Rows worked on" })).toHaveAttribute("aria-valuenow", "1");
    await page.goto(first.verifyUrl);
    await expect(page.getByRole("img", { name: /^Back of Library card/ })).toBeVisible();
  });

  const { code } = await api<{ code: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-2", displayName: "Alan Turing", attributes: { faculty: "Logic" } },
    templateId: template.id,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/c/${code}`);
  const front = page.getByRole("img", { name: /^Library card, issued by/ });
  await expect(front.locator("img")).toHaveAttribute("src", /\/picture\/logo\?v=/);
  expect(await front.locator("img").evaluate((logo: HTMLImageElement) => logo.naturalWidth)).toBe(1);
  // This field is not public.
  await expect(front).not.toContainText("Logic");
  const back = page.getByRole("img", { name: /^Back of Library card/ });
  await expect(back).toContainText("Please return it to the library.");
  await back.scrollIntoViewIfNeeded();
  await picture(page, "both sides on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
