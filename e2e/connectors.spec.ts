import type { Page } from "@playwright/test";
import { heldRun } from "./fixtures/held-run";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

const choose = (page: Page, label: string, text: string) =>
  page
    .locator(`input[type=file][aria-label="${label}"]`)
    .setInputFiles({ name: "students.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

const students = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `s-${from + i};Student;No ${from + i};enrolled;Physics;x\n`).join("");
const header = "Student ID;First name;Last name;Status;Department;Locker\n";

test("a registrar sets a connector up, sends files, and approves whom one would deactivate", async ({
  browser,
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Connected University");
  await organisation.api("POST", "/v1/groups", {
    name: "Physicists",
    rule: { field: "attributes.faculty", op: "eq", value: "Physics" },
  });
  await organisation.enter(page);
  await page.goto(`${service.url}/connectors`);
  await page.getByRole("link", { name: "New connector" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Student registry");
  await expect(page.getByRole("button", { name: "Create connector" })).toBeDisabled();
  await choose(page, "Choose a sample file", `${header}${students(1, 2)}s-3;Left;Student;left;Law;y\n`);
  await expect(page.getByText("s-1 · s-2 · s-3")).toBeVisible();
  await expect(page.getByRole("button", { name: "Where Student ID goes" })).toContainText("Id");
  await expect(page.getByRole("button", { name: "Where Last name goes" })).toContainText("Family name");
  await expect(page.getByRole("button", { name: "Where Locker goes" })).toContainText("Nothing");
  await expect(page.getByRole("button", { name: "What enrolled means" })).toContainText("Active");
  await expect(page.getByRole("button", { name: "What left means" })).toContainText("Inactive");
  await page.getByRole("button", { name: "Where Department goes" }).click();
  await page.getByRole("option", { name: "Attribute" }).click();
  await expect(page.getByText("Cards or rules read attributes that no column fills")).toBeVisible();
  await expect(page.getByText("faculty, read by Physicists")).toBeVisible();
  await page.getByLabel("Name of the attribute").fill("faculty");
  await expect(page.getByText("Cards or rules read attributes that no column fills")).toBeHidden();
  const preview = page.getByRole("list", { name: "Preview" }).getByRole("listitem");
  await expect(preview.first()).toHaveText(/Student No 1.*s-1.*Active.*faculty:.*Physics/);
  await page.getByRole("button", { name: "Order of names" }).click();
  await page.getByRole("option", { name: "Family name first" }).click();
  await expect(preview.first()).toContainText("No 1 Student");
  await page.getByRole("button", { name: /Who is missing from a file/ }).click();
  await page.getByRole("option", { name: "Deactivate them" }).click();
  await page.getByRole("button", { name: "Create connector" }).click();

  await expect(page.getByRole("heading", { name: "Student registry" })).toBeVisible();
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Name of the attribute")).toHaveValue("faculty");
  await page.getByRole("button", { name: "Order of names" }).click();
  await page.getByRole("option", { name: "Given name first" }).click();
  await page.getByLabel("Deactivations in 24 hours that need no approval").fill("12");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Above 12 deactivations in 24 hours")).toBeVisible();
  await page.getByRole("button", { name: "Upload file" }).click();
  await choose(page, "Choose a file", `${header}${students(1, 20)}s-21;Bad;Row;unknown;;\n`);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Applied", { exact: true })).toBeVisible();
  const rejected = page.getByRole("table", { name: "Rejected rows" });
  await expect(rejected.getByRole("row").nth(1)).toContainText("22");
  await expect(rejected.getByRole("row").nth(1)).toContainText("The mapping does not say what this value stands for.");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^run_\w+-errors-.*\.csv$/);
  expect(await organisation.api("GET", "/v1/subjects?externalId=s-20")).toMatchObject({
    data: [{ displayName: "Student No 20", status: "active", attributes: { faculty: "Physics" } }],
  });

  await page.getByRole("link", { name: "Student registry" }).click();
  await page.getByRole("button", { name: "Upload file" }).click();
  await choose(page, "Choose a file", `${header}${students(1, 3)}`);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("17 people would be deactivated").first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Deactivations" }).getByRole("row")).toHaveCount(18);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Deactivate 17 people" }).click();
  await expect(page.getByText("Applied", { exact: true })).toBeVisible();
  await expect(page.getByRole("table", { name: "Deactivations" }).getByText("Deactivated")).toHaveCount(17);
  expect(await organisation.api("GET", "/v1/subjects?status=inactive&offset=0")).toMatchObject({ total: 17 });

  const run = await heldRun(service, organisation);
  const address = `${service.url}/connectors/${run.connectorId}/runs/${run.id}`;
  await test.step("whoever may not approve is told who may", async () => {
    const context = await browser.newContext();
    const issuer = await context.newPage();
    await organisation.enter(issuer, "issuer");
    await issuer.goto(address);
    await expect(issuer.getByText("This file waits for an owner or admin")).toBeVisible();
    await expect(issuer.getByRole("button", { name: "Approve" })).toHaveCount(0);
    await context.close();
  });

  await test.step("a held file that somebody cancels meanwhile is not approved, and the page says who did it", async () => {
    await page.goto(address);
    await page.getByRole("button", { name: "Cancel file" }).click();
    await page.getByRole("button", { name: "Keep waiting" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    const context = await browser.newContext();
    const colleague = await context.newPage();
    await organisation.enter(colleague);
    await colleague.goto(address);
    await colleague.getByRole("button", { name: "Cancel file" }).click();
    await colleague.getByRole("button", { name: "Cancel the file" }).click();
    await expect(colleague.getByText("Cancelled", { exact: true }).first()).toBeVisible();
    await context.close();
    await page.getByRole("button", { name: "Deactivate 19 people" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Olive Owner" })).toContainText(
      "was faster and cancelled it. Nobody was deactivated.",
    );
    expect(await organisation.api("GET", "/v1/subjects?status=inactive&offset=0")).toMatchObject({ total: 17 });
  });
});
