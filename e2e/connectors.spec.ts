import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import SftpClient from "ssh2-sftp-client";
import { EntraSequence } from "./fixtures/entra-sequence";
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

test("a registrar sets up a connector, sends files, and approves the deactivations of one", async ({
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
  await page.getByRole("button", { name: "Create connector" }).click();
  await expect(page.getByText("Choose a sample file, so that its columns can be mapped.")).toBeVisible();
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
  await expect(page.getByText("More than 12 deactivations in 24 hours")).toBeVisible();
  await page.getByRole("button", { name: "Upload file" }).click();
  await choose(page, "Choose a file", `${header}${students(1, 20)}s-21;Bad;Row;unknown;;\n`);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Applied", { exact: true })).toBeVisible();
  const rejected = page.getByRole("table", { name: "Rejected rows" });
  await expect(rejected.getByRole("row").nth(1)).toContainText("22");
  await expect(rejected.getByRole("row").nth(1)).toContainText("The mapping does not say what this value means.");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download errors" }).click();
  expect((await download).suggestedFilename()).toMatch(/^run_\w+-errors-.*\.csv$/);
  const found = (await organisation.api("GET", "/v1/subjects?externalId=s-20")) as { data: { id: string }[] };
  expect(found).toMatchObject({
    data: [{ displayName: "Student No 20", status: "active", attributes: { faculty: "Physics" } }],
  });
  await page.goto(`${service.url}/subjects/${found.data[0]!.id}`);
  await page.getByRole("link", { name: /^Run of Student registry, / }).click();
  await expect(page.getByText("Uploaded by Olive Owner")).toBeVisible();

  await page.getByRole("link", { name: "Student registry" }).click();
  await page.getByRole("button", { name: "Upload file" }).click();
  await choose(
    page,
    "Choose a file",
    `${header}${students(1, 3).replace("No 2;enrolled;Physics", "Two;enrolled;Law")}`,
  );
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const told = page.getByRole("region", { name: "What this file would do" });
  await expect(told.getByText("Deactivating 17 people would wait for approval")).toBeVisible();
  await expect(told.getByRole("listitem").first()).toContainText("Student No 2 → Student Two");
  await expect(told.getByRole("listitem").first()).toContainText("faculty:Physics → Law");
  await expect(told.getByRole("listitem").nth(1)).toContainText("not in the file");
  await told.getByRole("button", { name: "Show" }).click();
  await page.getByRole("option", { name: "Deactivated" }).click();
  await expect(told.getByRole("listitem").first()).toContainText("not in the file");
  await expect(told.getByRole("listitem")).toHaveCount(17);
  expect(await organisation.api("GET", "/v1/subjects?status=inactive&offset=0")).toMatchObject({ total: 0 });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("17 people would be deactivated").first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Removals" }).getByRole("row")).toHaveCount(18);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Deactivate 17 people" }).click();
  await expect(page.getByText("Applied", { exact: true })).toBeVisible();
  await expect(page.getByRole("table", { name: "Removals" }).getByText("Done", { exact: true })).toHaveCount(17);
  expect(await organisation.api("GET", "/v1/subjects?status=inactive&offset=0")).toMatchObject({ total: 17 });

  await expect(page.getByText("Approved by Olive Owner")).toBeVisible();

  const applied = page.url();
  await test.step("the page of a person says where they come from, and what happened to them", async () => {
    const { data } = await organisation.api<{ data: { id: string }[] }>("GET", "/v1/subjects?externalId=s-20");
    await page.goto(`${service.url}/subjects/${data[0]!.id}`);
    await expect(page.getByText("Not in its files since")).toBeVisible();
    await expect(page.getByRole("link", { name: "Student registry", exact: true })).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Person deactivated" })).toContainText(
      "by Run of Student registry, ",
    );
    await expect(page.getByText("Person added")).toBeVisible();
  });

  const run = await heldRun(service, organisation);
  const address = `${service.url}/connectors/${run.connectorId}/runs/${run.id}`;
  await test.step("a person who may not approve is told who may", async () => {
    const context = await browser.newContext();
    const issuer = await context.newPage();
    await organisation.enter(issuer, "issuer");
    await issuer.goto(address);
    await expect(issuer.getByText("This file waits for the approval of an owner or admin")).toBeVisible();
    await expect(issuer.getByRole("button", { name: "Approve" })).toHaveCount(0);
    await context.close();
  });

  await test.step("a held file that somebody cancels meanwhile is not approved, and the page names that person", async () => {
    await page.goto(service.url);
    await expect(page.getByText("A file of “Student registry” waits for an approval")).toBeVisible();
    await expect(page.getByText("It would deactivate 19 people.")).toBeVisible();
    await page.getByRole("link", { name: "Decide" }).click();
    await expect(page).toHaveURL(address);
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

  await test.step("the approved file is undone, and the connector lists the people who differ from it", async () => {
    await page.goto(applied);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("18 people go back to how they were.");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByText("This run undoes another")).toBeVisible();
    await expect(page.getByText("Applied", { exact: true })).toBeVisible();
    expect(await organisation.api("GET", "/v1/subjects?status=inactive&offset=0")).toMatchObject({ total: 0 });
    expect(await organisation.api("GET", "/v1/subjects?externalId=s-2")).toMatchObject({
      data: [{ displayName: "Student No 2", status: "active" }],
    });
    await organisation.api("PUT", "/v1/subjects", { externalId: "s-3", status: "inactive" });
    await page.getByRole("link", { name: "Student registry" }).click();
    await page.getByRole("button", { name: "Which differences" }).click();
    await page.getByRole("option", { name: "In the last file, not active here" }).click();
    await expect(page.getByRole("table", { name: "Differences" }).getByRole("row").nth(1)).toContainText("s-3");
  });

  await test.step("the settings of a directory are changed without a file", async () => {
    const { id } = await organisation.api<{ id: string }>("POST", "/v1/connectors", {
      name: "Staff directory",
      type: "scim",
      settings: { provider: "okta" },
    });
    await page.goto(`${service.url}/connectors/${id}/edit`);
    await page.getByLabel("Name", { exact: true }).fill("Staff");
    await page.locator("input[name=priority]").fill("10");
    await page.locator('input[name="mapping/email"]').fill('emails[type eq "home"].value');
    await page.getByRole("button", { name: "Remove the field costCenter" }).click();
    await page.getByRole("button", { name: "Add a field" }).click();
    await page.getByRole("textbox", { name: "Field", exact: true }).last().fill("title");
    await page.getByRole("textbox", { name: "Attribute of the directory" }).last().fill("nickName");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Two lines fill one field")).toBeVisible();
    await page.getByRole("textbox", { name: "Field", exact: true }).last().fill("callName");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page).toHaveURL(`${service.url}/connectors/${id}`);
    expect(await organisation.api("GET", `/v1/connectors/${id}`)).toMatchObject({
      name: "Staff",
      settings: { provider: "okta" },
      priority: 10,
      mapping: { email: 'emails[type eq "home"].value', attributes: { title: "title", callName: "nickName" } },
      limits: { deactivations: 10, deactivationPercent: 10 },
    });
  });
});

test("a registrar connects Entra, sees its group collapse, and approves the waiting removals", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Directory University");
  await organisation.enter(page);
  await page.goto(`${service.url}/connectors`);
  await page.getByRole("link", { name: "Connect a directory" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Entra of staff");
  await page.getByRole("button", { name: "Connect directory" }).click();
  await expect(page.getByRole("heading", { name: "Entra of staff" })).toBeVisible();
  await page.getByRole("button", { name: "New token" }).click();
  const token = await page.getByText(/^svc_sk_live_[0-9A-Za-z]{42}$/).innerText();
  await page.getByText("I have stored it").click();
  await page.getByRole("button", { name: "Done" }).click();

  const entra = new EntraSequence(service, token);
  const people = Array.from({ length: 14 }, (_, n) => `Person ${n + 1}`.replace(" ", "-"));
  await entra.provision("Library staff", people);
  const { data } = await organisation.api<{ data: { id: string }[] }>("GET", "/v1/groups?q=Library");
  const group = data[0]!.id;
  await test.step("the group names its source, and cannot be changed here", async () => {
    await page.goto(`${service.url}/groups/${group}`);
    await expect(page.getByText("Its name and its people are changed there")).toBeVisible();
    await expect(page.getByRole("link", { name: "Entra of staff" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Add people" })).toHaveCount(0);
    await expect(page.getByRole("table", { name: "People of this group" }).getByRole("row")).toHaveCount(15);
    await page.getByRole("button", { name: "Edit" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("the directory's page shows its people, its requests, and the differences", async () => {
    await page.getByRole("link", { name: "Entra of staff" }).click();
    await page.getByRole("link", { name: "People and groups" }).click();
    const sent = page.getByRole("table", { name: "People of the directory" });
    await expect(sent.getByRole("row")).toHaveCount(15);
    await sent.getByRole("button", { name: "Signs in there as" }).click();
    await expect(sent.getByRole("row").nth(1)).toContainText("Person-10@");
    await sent.getByRole("button", { name: "Signs in there as" }).click();
    await expect(sent.getByRole("row").nth(1)).toContainText("Person-9@");
    await page.getByRole("searchbox", { name: "Search people of the directory" }).fill("person-14");
    await expect(sent.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("table", { name: "Groups of the directory" })).toContainText("14 people");
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    const requests = page.getByRole("table", { name: "Last requests" });
    await expect(requests.getByRole("row").nth(1)).toContainText("14 members added");
    await expect(requests).toContainText("Person-1 of Entra");
    await page.getByRole("link", { name: "Differences" }).click();
    await expect(page.getByText("Everybody who is active in the directory is active here.")).toBeVisible();
    await organisation.api("PUT", "/v1/subjects", { externalId: "student-1", displayName: "Nora Student" });
    await page.reload();
    const kinds = page.getByRole("navigation", { name: "Kinds of differences" });
    await expect(kinds.getByRole("link", { name: "Never sent by this directory" })).toContainText("1");
    await expect(page.getByRole("table", { name: "Never sent by this directory" })).toContainText("Added by the API");
    await page.goto(`${service.url}/groups/${group}`);
  });

  const { id: templateId } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Library card",
    kind: "membership",
    publish: true,
  });
  await organisation.api("POST", "/v1/policies", { name: "Library cards", templateId, groupId: group });
  await entra.leave("Library staff", people);
  await test.step("the overview alerts, and links to the waiting removals", async () => {
    await page.goto(`${service.url}/`);
    const alert = page.getByText("The directory “Entra of staff” waits for an approval");
    await expect(alert).toBeVisible();
    await expect(page.getByText("It wants 14 removals applied.")).toBeVisible();
  });
  await test.step("without a mail server, the alert is listed under Messages for the owner, and leads there", async () => {
    await page.goto(`${service.url}/messages`);
    await page.getByRole("link", { name: "Alerts to you" }).click();
    const alerts = page.getByRole("table", { name: "Alerts to you" });
    await expect(alerts.getByRole("row").nth(1)).toContainText("Not sent by e-mail");
    await alerts.getByRole("button", { name: "Entra of staff: 14 people would be removed" }).click();
    await expect(page.getByRole("dialog")).toContainText("Organisation: Directory University");
    await expect(page.getByRole("dialog")).toContainText("This was true when the alert was made.");
    await page.getByRole("link", { name: "Open it" }).click();
  });
  await expect(page.getByRole("heading", { name: "14 removals wait for approval" })).toBeVisible();
  await expect(page.getByText("It was answered as if all of it was done.")).toBeVisible();
  const waiting = page.getByRole("table", { name: "Removals that wait" });
  await expect(waiting.getByRole("row").nth(1)).toContainText("Person-1 of Entra");
  await expect(waiting.getByRole("row").nth(1)).toContainText("Taken out of Library staff");
  expect(await organisation.api("GET", `/v1/groups/${group}`)).toMatchObject({ memberCount: 14 });
  await test.step("one removal is found, chosen and approved, and the others still wait", async () => {
    await page.getByRole("searchbox", { name: "Search removals" }).fill("person-14");
    await expect(waiting.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Approve all" })).toBeHidden();
    await waiting.getByRole("checkbox", { name: "Person-14 of Entra" }).press("Space");
    await page.getByRole("region", { name: "Chosen rows" }).getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("The directory removed 1 person:");
    await expect(dialog).toContainText("1 person leaves a group.");
    await expect(dialog).toContainText("No policy ends a credential for that.");
    await page.getByRole("button", { name: "Approve 1 removal" }).click();
    await expect(page.getByRole("heading", { name: "13 removals wait for approval" })).toBeVisible();
    await page.getByRole("searchbox", { name: "Search removals" }).fill("");
    expect(await organisation.api("GET", `/v1/groups/${group}`)).toMatchObject({ memberCount: 13 });
  });
  await test.step("the list, the group, its people and the differences show what waits", async () => {
    const here = page.url();
    await page.getByRole("link", { name: "Differences" }).click();
    await expect(page.getByText("13 removals from groups wait for your approval")).toBeVisible();
    await page.goto(`${service.url}/connectors`);
    await expect(page.getByText("13 removals wait")).toBeVisible();
    await page.goto(`${service.url}/groups/${group}`);
    await expect(page.getByText("A directory took 13 people out of this group.")).toBeVisible();
    await expect(page.getByText("Removal waits")).toHaveCount(13);
    await page.getByRole("link", { name: "Person-1 of Entra" }).click();
    await expect(page.getByText("A removal waits for approval")).toBeVisible();
    await page.getByRole("link", { name: "View what waits" }).click();
    await expect(page).toHaveURL(here);
  });
  await test.step("the questions before pausing and deleting say what will be lost", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await expect(page.getByRole("dialog")).toContainText("Each change that the directory sends is refused");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("dialog")).toContainText("13 removals that wait for approval are dropped");
    await expect(page.getByRole("dialog")).toContainText("1 token stops working at once");
    await page.getByRole("button", { name: "Cancel" }).click();
  });
  await page.getByRole("button", { name: "Approve all" }).click();
  await expect(page.getByRole("dialog")).toContainText("The directory removed 13 people:");
  await expect(page.getByRole("dialog")).toContainText("13 memberships in groups end.");
  await page.getByRole("button", { name: "Approve 13 removals" }).click();
  await expect(page.getByRole("heading", { name: "13 removals wait for approval" })).toBeHidden();
  expect(await organisation.api("GET", `/v1/groups/${group}`)).toMatchObject({ memberCount: 0 });
});

test("a registrar reads for each directory what to enter there, and what to leave on", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Set-up University");
  await organisation.enter(page);
  const department = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department";
  for (const [provider, title, url, token, mapping, ...points] of [
    [
      "entra",
      "Set up Entra ID",
      "Tenant URL",
      "Secret Token",
      "objectId externalId",
      "Without Update, Entra deactivates nobody here.",
      "Entra does not send that a value was emptied.",
    ],
    [
      "okta",
      "Set up Okta",
      "SCIM connector base URL",
      "Authorization (HTTP Header, Bearer)",
      `department ${department}`,
      "Create Users, Update User Attributes and Deactivate Users",
      "never sends everybody again. The tab Differences shows what got lost.",
    ],
    [
      "google",
      "Set up Google Workspace",
      "Endpoint URL",
      "Access token",
      "Primary email userName",
      "All options under Deprovisioning",
    ],
    [
      "onelogin",
      "Set up OneLogin",
      "SCIM Base URL",
      "SCIM Bearer Token",
      "OneLogin ID externalId",
      "Enable provisioning, with Create user, Delete user and Update user.",
    ],
    [
      "jumpcloud",
      "Set up JumpCloud",
      "Base URL",
      "Token Key",
      "firstname name.givenName",
      "Enable management of User Groups and Group Membership",
    ],
    [
      "other",
      "Set up your directory",
      "Base URL",
      "Bearer token",
      "An id that never changes externalId",
      "Without updates, nobody is deactivated here.",
    ],
  ] as const) {
    const { id } = await organisation.api<{ id: string }>("POST", "/v1/connectors", {
      name: provider,
      type: "scim",
      settings: { provider },
    });
    await test.step(title, async () => {
      await page.goto(`${service.url}/connectors/${id}`);
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expect(page.getByText(url, { exact: true })).toBeVisible();
      await expect(page.getByText(`${service.url}/scim/v2`)).toBeVisible();
      await expect(page.getByText(token, { exact: true })).toBeVisible();
      await expect(page.getByRole("row", { name: mapping, exact: true })).toBeVisible();
      for (const point of points) await expect(page.getByRole("listitem").getByText(point)).toBeVisible();
    });
  }
});

test("a registrar replaces the token of a directory, and the old token is refused from then on", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Rotating University");
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/connectors", { name: "Okta", type: "scim" });
  await organisation.enter(page);
  await page.goto(`${service.url}/connectors/${id}`);
  const newToken = async () => {
    await page.getByRole("button", { name: "New token" }).click();
    const token = await page.getByText(/^svc_sk_live_[0-9A-Za-z]{42}$/).innerText();
    await page.getByText("I have stored it").click();
    await page.getByRole("button", { name: "Done" }).click();
    return token;
  };
  const create = async (token: string, userName: string) => {
    const answer = await fetch(`${service.url}/scim/v2/Users`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      body: JSON.stringify({ userName, displayName: userName }),
    });
    return { status: answer.status, challenge: answer.headers.get("www-authenticate") };
  };
  const old = await newToken();
  expect(await create(old, "first")).toMatchObject({ status: 201 });
  const next = await newToken();
  await expect(page.getByRole("button", { name: "New token" })).toHaveCount(0);
  await test.step("both tokens work during the change", async () => {
    expect(await create(old, "second")).toMatchObject({ status: 201 });
    expect(await create(next, "third")).toMatchObject({ status: 201 });
  });
  await test.step("the old token is deleted", async () => {
    const row = page.getByRole("listitem").filter({ hasText: `…${old.slice(-4)}` });
    await row.getByRole("button", { name: "Delete token" }).click();
    await expect(page.getByText("A directory that still uses it is refused from its next request on.")).toBeVisible();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Delete token" })
      .click();
    await expect(page.getByText("Token deleted")).toBeVisible();
    await expect(row).toHaveCount(0);
  });
  expect(await create(old, "fourth")).toMatchObject({
    status: 401,
    challenge: expect.stringContaining('error="invalid_token"'),
  });
  expect(await create(next, "fourth")).toMatchObject({ status: 201 });
  await page.getByRole("link", { name: "People and groups" }).click();
  await expect(page.getByRole("table", { name: "People of the directory" }).getByRole("row")).toHaveCount(5);
});

test("a registrar connects an address, tests it, and runs it", async ({ page, service }) => {
  const people = [
    { id: 1, name: "Ada Lovelace", contact: { mail: "ada@example.edu" } },
    { id: 2, name: "Alan Turing", contact: { mail: "alan@example.edu" } },
  ];
  const server = createServer(({ headers }, response) => {
    if (headers.authorization !== "Bearer token-1") return void response.writeHead(401).end();
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data: people }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const organisation = await newOrganisation(service, "Fetching University");
  await organisation.enter(page);
  await page.goto(`${service.url}/connectors/new`);
  await page.getByLabel("Name", { exact: true }).fill("Student system");
  await page.getByRole("button", { name: "People come from" }).click();
  await page.getByRole("option", { name: "An address" }).click();
  await page
    .getByRole("textbox", { name: /^Address/ })
    .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/people`);
  await page.getByLabel("Where the list is").fill("data");
  await page.locator('input[name="secret"]').fill("token-2");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("The server refused the credentials (401).")).toBeVisible();
  await page.locator('input[name="secret"]').fill("token-1");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("The connection works")).toBeVisible();
  await expect(page.getByRole("button", { name: "Where contact.mail goes" })).toContainText("E-mail address");
  await expect(page.getByRole("list", { name: "Preview" }).getByRole("listitem").first()).toContainText("Ada Lovelace");
  await page.getByLabel("Schedule").fill("0 5 * * *");
  await page.getByRole("button", { name: "Create connector" }).click();
  await expect(page.getByText("0 5 * * *")).toBeVisible();
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText("Applied", { exact: true })).toBeVisible();
  expect(await organisation.api("GET", "/v1/subjects?externalId=2")).toMatchObject({
    data: [{ displayName: "Alan Turing", email: "alan@example.edu" }],
  });
  server.close();
});

test("a registrar sets up an inbox, and a file that is sent to it by SFTP is applied", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Sending University");
  await organisation.enter(page);
  await page.goto(`${service.url}/connectors/new`);
  await page.getByLabel("Name", { exact: true }).fill("Nightly export");
  await page.getByRole("button", { name: /People come from/ }).click();
  await page.getByRole("option", { name: "SFTP: you send" }).click();
  await choose(page, "Choose a sample file", `${header}${students(1, 2)}`);
  await page.getByRole("button", { name: "Create connector" }).click();

  const access = page.locator("section", { hasText: "Send files by SFTP" });
  await expect(access.getByText(/^SHA256:/)).toHaveCount(2);
  await access.getByRole("button", { name: "New password" }).click();
  const password = await page.getByTestId("secret").textContent();
  await page.getByText("I have stored it").click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(access.getByText(/^Set /)).toBeVisible();
  const id = page.url().split("/").pop()!;
  const { host, port, username } = await organisation.api<{ host: string; port: number; username: string }>(
    "GET",
    `/v1/connectors/${id}/sftp`,
  );
  const client = new SftpClient();
  await client.connect({ host, port, username, password: password! });
  await client.put(Buffer.from(`${header}${students(1, 12)}`), "students.csv.part");
  await client.rename("students.csv.part", "students.csv");

  const files = page.getByRole("table", { name: "Files" });
  await page.reload();
  await expect(files.getByText("students.csv")).toBeVisible();
  await expect(files.getByText("12 new")).toBeVisible();
  await client.end();
  await client.connect({ host, port, username, password: password! });
  expect((await client.list("/archive")).map(({ name }) => name)).toEqual([
    expect.stringMatching(/-students\.csv\.report\.txt$/),
  ]);
  await client.end();
  await access.getByRole("button", { name: "New password" }).click();
  await expect(page.getByText("Replace the password?")).toBeVisible();
});
