import type { Page } from "@playwright/test";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("two people edit one record: nobody overwrites the other without choosing to", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Editing University");
  const { id } = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "e-1",
    displayName: "Ada Lovelace",
    email: "ada@example.edu",
    attributes: { year: 1, room: "A" },
  });
  const current = () => organisation.api<{ displayName: string; email: string }>("GET", `/v1/subjects/${id}`);
  await organisation.enter(page);
  await page.goto(`${service.url}/subjects/${id}`);
  const dialog = page.getByRole("dialog", { name: "Edit person" });
  const name = dialog.getByLabel("Name", { exact: true });
  const save = dialog.getByRole("button", { name: "Save" });

  await test.step("a save that is based on an older state is refused, and the typed text stays", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await name.fill("Ada King");
    await organisation.api("PATCH", `/v1/subjects/${id}`, { email: "countess@example.edu" });
    await save.click();
    await expect(dialog.getByText("Changed meanwhile")).toBeVisible();
    await expect(name).toHaveValue("Ada King");
    expect(await current()).toMatchObject({ displayName: "Ada Lovelace", email: "countess@example.edu" });
  });

  await test.step("the saved state can be loaded and then changed", async () => {
    await dialog.getByRole("button", { name: "Load what was saved" }).click();
    await expect(dialog.getByLabel("E-mail")).toHaveValue("countess@example.edu");
    await expect(name).toHaveValue("Ada Lovelace");
    await name.fill("Ada King");
    await save.click();
    await expect(dialog).toBeHidden();
    expect(await current()).toMatchObject({ displayName: "Ada King", email: "countess@example.edu" });
  });

  await test.step("the typed changes can be kept: only they are written, and clashes are named", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await name.fill("Countess of Lovelace");
    await dialog.getByLabel("Attributes").fill('{"year": 1, "room": "B"}');
    await organisation.api("PATCH", `/v1/subjects/${id}`, {
      displayName: "Somebody Else",
      email: "newest@example.edu",
      attributes: { year: 2 },
    });
    await save.click();
    await expect(dialog.getByLabel("Changed by both")).toHaveText(
      /^NameYou: Countess of LovelaceSaved: Somebody Else$/,
    );
    await dialog.getByRole("button", { name: "Keep what I entered" }).click();
    await expect(dialog.getByText("Changed meanwhile")).toBeHidden();
    await expect(name).toHaveValue("Countess of Lovelace");
    await expect(dialog.getByLabel("E-mail")).toHaveValue("newest@example.edu");
    await save.click();
    await expect(dialog).toBeHidden();
    expect(await current()).toMatchObject({
      displayName: "Countess of Lovelace",
      email: "newest@example.edu",
      attributes: { year: 2, room: "B" },
    });
  });

  await test.step("text that is entered after both values were shown is kept, even if it is the original value", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await name.fill("Lady Lovelace");
    await organisation.api("PATCH", `/v1/subjects/${id}`, { displayName: "Somebody Else" });
    await save.click();
    await expect(dialog.getByLabel("Changed by both")).toContainText("Somebody Else");
    await name.fill("Countess of Lovelace");
    await expect(dialog.getByLabel("Changed by both")).toHaveText(
      /^NameYou: Countess of LovelaceSaved: Somebody Else$/,
    );
    await dialog.getByRole("button", { name: "Keep what I entered" }).click();
    await expect(name).toHaveValue("Countess of Lovelace");
    await save.click();
    await expect(dialog).toBeHidden();
    expect(await current()).toMatchObject({ displayName: "Countess of Lovelace" });
  });

  await test.step("the same for the last day of a credential", async () => {
    const template = await organisation.api<{ id: string }>("POST", "/v1/templates", {
      name: "Library card",
      kind: "membership",
      publish: true,
    });
    const ending = (day: string) => ({ expiresAt: `${day}T23:59:59.999Z` });
    const credential = await organisation.api<{ id: string }>("POST", "/v1/credentials", {
      subject: { id },
      templateId: template.id,
      ...ending("2031-01-10"),
    });
    const path = `/v1/credentials/${credential.id}`;
    await page.goto(`/credentials/${credential.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Change expiry" }).click();
    const expiry = page.getByRole("dialog", { name: "Change expiry" });
    const day = expiry.getByRole("textbox", { name: "Valid through" });
    const first = await day.inputValue();
    await day.fill("2033-03-03");
    await organisation.api("PATCH", path, ending("2032-02-02"));
    await expiry.getByRole("button", { name: "Save" }).click();
    await expect(expiry.getByLabel("Changed by both")).toBeVisible();
    await day.fill(first);
    await expiry.getByRole("button", { name: "Keep what I entered" }).click();
    await expect(expiry.getByText("Changed meanwhile")).toBeHidden();
    await expect(day).toHaveValue(first);
    await expiry.getByRole("button", { name: "Save" }).click();
    await expect(expiry).toBeHidden();
    expect((await organisation.api<{ expiresAt: string }>("GET", path)).expiresAt).toBe("2031-01-11T00:00:00.000Z");
  });

  await test.step("a change after one's own save is no conflict", async () => {
    await page.goto(`${service.url}/settings`);
    const field = page.getByLabel("Organisation name");
    const saveName = page.getByRole("button", { name: "Save" }).first();
    for (const next of ["Editing College", "Editing School", "Editing Academy"]) {
      await field.fill(next);
      await saveName.click();
      await expect
        .poll(async () => (await organisation.api<{ name: string }>("GET", "/v1/organisation")).name)
        .toBe(next);
      await expect(saveName).toBeDisabled();
    }
    await expect(page.getByText("Changed meanwhile")).toBeHidden();
  });

  await test.step("if a person was erased meanwhile, nothing is saved, and a message says so although the dialog closes", async () => {
    await page.goto(`${service.url}/subjects/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await name.fill("Too late");
    await organisation.api("POST", `/v1/subjects/${id}/erase`, { reason: "Asked for it" });
    await save.click();
    await expect(page.getByText("Not saved: this person was erased")).toBeVisible();
    await expect(dialog).toBeHidden();
  });
});

test("text that is entered after Save was pressed stays, and other fields show what was saved", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Typing University");
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/webhook_endpoints", {
    url: `${service.url}/hook`,
    eventTypes: [],
  });
  await organisation.enter(page);
  const save = page.getByRole("button", { name: "Save", exact: true }).first();
  const isUnsaved = () => page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
  /** Saves, and calls `type` before the procedure is answered. */
  const typeDuring = async (procedure: string, press: () => Promise<void>, type: () => Promise<void>) => {
    const url = new RegExp(`/api/trpc/[^?]*\\b${procedure.replaceAll(".", "\\.")}\\b`);
    const { promise: typed, resolve: release } = Promise.withResolvers<void>();
    const answered = page.waitForResponse(url);
    await page.route(
      url,
      async (route) => {
        const response = await route.fetch();
        await typed;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    const asked = page.waitForRequest(url);
    await press();
    await asked;
    await type();
    release();
    await (await answered).finished();
  };

  for (const [what, procedure] of [
    ["the save", "organisation.update"],
    ["the reload after the save", "organisation.get"],
  ] as const)
    await test.step(`the name, typed before ${what} is answered`, async () => {
      await page.goto("/settings");
      const field = page.getByLabel("Organisation name");
      await field.fill(` Saved during ${procedure} `);
      await typeDuring(
        procedure,
        () => save.click(),
        () => field.fill("Typed meanwhile"),
      );
      // The page shows the saved name elsewhere once it has reloaded.
      await expect(page.getByRole("link", { name: `Saved during ${procedure}` }).first()).toBeVisible();
      await expect(field).toHaveValue("Typed meanwhile");
      expect(await isUnsaved()).toBe(true);
      await save.click();
      await expect(page.getByRole("link", { name: "Typed meanwhile" }).first()).toBeVisible();
      await expect(save).toBeDisabled();
      await expect(page.getByText("Changed meanwhile")).toBeHidden();
      expect(await organisation.api("GET", "/v1/organisation")).toMatchObject({ name: "Typed meanwhile" });
      expect(await isUnsaved()).toBe(false);
    });

  await test.step("an endpoint: the edited field stays, the other one shows what was saved", async () => {
    await page.goto(`/webhooks/${id}/settings`);
    const description = page.getByLabel("Description");
    const rate = page.getByLabel("Deliveries a second");
    await description.fill("First");
    await rate.fill("007");
    await typeDuring(
      "webhooks.endpoints.update",
      () => save.click(),
      () => description.fill("Second"),
    );
    await expect(rate).toHaveValue("7");
    await expect(description).toHaveValue("Second");
    await save.click();
    await expect
      .poll(() => organisation.api("GET", `/v1/webhook_endpoints/${id}`))
      .toMatchObject({ description: "Second", rateLimit: 7 });
    await expect(page.getByText("Changed meanwhile")).toBeHidden();
  });
});

test("two people design one template: the version of the first is not replaced without asking", async ({
  page,
  context,
  service,
}) => {
  const organisation = await newOrganisation(service, "Designing University");
  const design = { front: { fields: [{ key: "grade", label: "Grade", binding: "credential.data.grade" }] } };
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Diploma",
    kind: "academic",
    publish: true,
    design,
  });
  await organisation.enter(page);
  const colleague = await context.newPage();
  const publish = (on: Page) => on.getByRole("button", { name: "Publish", exact: true });
  for (const each of [page, colleague]) {
    await each.goto(`${service.url}/templates/${id}/edit`);
    await expect(each.getByRole("heading", { name: "Version 2" })).toBeVisible();
  }
  await colleague.getByLabel("Label").first().fill("Mark");
  await publish(colleague).click();
  await expect(colleague).toHaveURL(new RegExp(`/templates/${id}$`));
  const labelled = async () =>
    (await organisation.api<{ version: { version: number; design: object } }>("GET", `/v1/templates/${id}`)).version;

  await page.getByLabel("Label").first().fill("Result");
  await publish(page).click();
  await expect(page.getByText("Changed meanwhile")).toBeVisible();
  await expect(page.getByLabel("Label").first()).toHaveValue("Result");
  expect(await labelled()).toMatchObject({ version: 2, design: { front: { fields: [{ label: "Mark" }] } } });
  await page.getByRole("button", { name: "Load what was saved" }).click();
  await expect(page.getByRole("heading", { name: "Version 3" })).toBeVisible();
  await expect(page.getByLabel("Label").first()).toHaveValue("Mark");

  await test.step("a draft that a colleague made meanwhile can be reached", async () => {
    await organisation.api("POST", `/v1/templates/${id}/versions`, {});
    await page.getByLabel("Label").first().fill("Final mark");
    const draftIsRead = page.waitForResponse((response) => response.url().includes("templates.versions.get"));
    await page.getByRole("button", { name: "Save draft" }).click();
    await draftIsRead;
    await page.getByRole("button", { name: "Keep what I entered" }).click();
    await expect(page.getByText("Changed meanwhile")).toBeHidden();
    await expect(page.getByLabel("Label").first()).toHaveValue("Final mark");
    await publish(page).click();
    await expect(page).toHaveURL(new RegExp(`/templates/${id}$`));
    expect(await labelled()).toMatchObject({ version: 3, design: { front: { fields: [{ label: "Final mark" }] } } });
  });
});

test("a list is sorted at its headers, and the URL keeps the order", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Sorting University");
  for (const [externalId, displayName] of [
    ["s-1", "Zoë"],
    ["s-2", "anna"],
    ["s-3", "Mia"],
  ])
    await organisation.api("PUT", "/v1/subjects", { externalId, displayName });
  await organisation.enter(page);
  await page.goto(`${service.url}/subjects`);
  const names = page.getByRole("table", { name: "People" }).getByRole("row").locator("td:first-child");
  const header = page.getByRole("columnheader", { name: "Name" });
  await expect(names).toHaveText(["Mia", "anna", "Zoë"]);
  await header.getByRole("button").click();
  await expect(names).toHaveText(["anna", "Mia", "Zoë"]);
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/sort=displayName/);
  await header.getByRole("button").click();
  await expect(names).toHaveText(["Zoë", "Mia", "anna"]);
  await page.reload();
  await expect(names).toHaveText(["Zoë", "Mia", "anna"]);
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await header.getByRole("button").click();
  await expect(names).toHaveText(["Mia", "anna", "Zoë"]);
  await expect(page).not.toHaveURL(/sort=/);
});

test("a template that was never published can be deleted", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Drafting University");
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Mistake",
    kind: "membership",
  });
  await organisation.enter(page);
  await page.goto(`${service.url}/templates/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete Mistake?" }).getByRole("button", { name: "Delete template" }).click();
  await expect(page).toHaveURL(/\/templates$/);
  await expect(page.getByText("Mistake")).toHaveCount(0);
});
