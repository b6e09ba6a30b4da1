import type { Page, Route } from "@playwright/test";
import { findAndChoose } from "./fixtures/find";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

async function go(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: screen, exact: true }).click();
  await expect(page.getByRole("heading", { name: screen, level: 1 })).toBeVisible();
}

/** Counts the requests of the page whose URL contains this text. */
function callsOf(page: Page, part: string): () => number {
  let calls = 0;
  page.on("request", (request) => (calls += request.url().includes(part) ? 1 : 0));
  return () => calls;
}

/** A certificate that shows two values which are in nobody's record. */
async function certificate({ api }: Organisation): Promise<{ id: string }> {
  const fields = [
    { key: "grade", label: "Grade", binding: "attributes.grade" },
    { key: "credits", label: "Credits", binding: "credential.data.credits", format: "number" },
  ];
  return api("POST", "/v1/templates", {
    name: "Certificate of study",
    kind: "academic",
    publish: true,
    design: { front: { fields }, publicFields: ["grade", "credits"] },
    validity: { type: "fixed_date", date: "2041-01-19" },
  });
}

test("issuing: a person beyond the first page stays chosen, the template's values are entered, and the public sees them", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Form University");
  await certificate(organisation);
  const people = ["Ada Lovelace", ...Array.from({ length: 10 }, (_, i) => `Newer Person ${i}`)];
  for (const [i, displayName] of people.entries())
    await organisation.api("PUT", "/v1/subjects", { externalId: `p-${i}`, displayName, attributes: { grade: "C" } });
  await organisation.enter(page);
  const dialog = page.getByRole("dialog", { name: "Issue a credential" });
  const card = dialog.getByRole("img");
  const [person, template] = ["Person", "Template"].map((name) => dialog.getByRole("combobox", { name }));
  const issue = dialog.getByRole("button", { name: "Issue credential" });

  await test.step("the chosen person and template stay while the lists show others", async () => {
    await go(page, "Credentials");
    await page.getByRole("button", { name: "Issue credential" }).first().click();
    await findAndChoose(page, person!, "ada", /Ada Lovelace/);
    await findAndChoose(page, template!, "study", /Certificate of study/);
    await expect(person!).toHaveValue("Ada Lovelace");
    await expect(issue).toBeEnabled();
  });

  await test.step("the preview follows the entered values", async () => {
    await expect(card.getByText("Ada Lovelace")).toBeVisible();
    await expect(card.getByText("C", { exact: true })).toBeVisible();
    await dialog.getByLabel("Grade").fill("A with honours");
    await dialog.getByLabel("Credits").fill("180");
    await expect(card.getByText("A with honours")).toBeVisible();
    await expect(card.getByText("180")).toBeVisible();
    await expect(dialog.getByText("Valid through 19 January 2041")).toBeVisible();
    await expect(dialog.getByText("The person's record stays as it is.")).toBeVisible();
  });

  await test.step("two quick clicks issue one credential, which shows the entered values", async () => {
    const calls = callsOf(page, "/api/trpc/credentials.issue");
    await issue.dblclick();
    await expect(page).toHaveURL(/\/credentials\/crd_/);
    await expect(page.getByRole("img", { name: /Certificate of study/ }).getByText("A with honours")).toBeVisible();
    expect(calls()).toBe(1);
    const { data } = await organisation.api<{ data: { verifyUrl: string; data: object }[] }>("GET", "/v1/credentials");
    expect(data).toMatchObject([{ data: { grade: "A with honours", credits: 180 } }]);
    await page.goto(data[0]!.verifyUrl);
    await expect(page.getByText("A with honours").first()).toBeVisible();
    const {
      data: [ada],
    } = await organisation.api<{ data: object[] }>("GET", "/v1/subjects?q=ada");
    expect(ada).toMatchObject({ attributes: { grade: "C" } });
  });
});

test("while the results for a typed text are loading, no earlier result can be chosen", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Slow University");
  await certificate(organisation);
  const long = "Wolfeschlegelsteinhausenbergerdorff ".repeat(3).trim();
  for (const [externalId, displayName] of [
    ["r-1", "Ada Lovelace"],
    ["r-2", "Alan Turing"],
    ["r-3", long],
  ])
    await organisation.api("PUT", "/v1/subjects", { externalId, displayName });
  await organisation.api("PUT", "/v1/subjects", {
    externalId: "r-4",
    displayName: "Gone Before",
    status: "inactive",
  });
  await organisation.enter(page);
  const held: Route[] = [];
  const holdBack = () =>
    page.route(
      (url) => decodeURIComponent(url.search).includes('"q":"Alan"'),
      (route) => void held.push(route),
    );
  const answer = async () => {
    for (const route of held.splice(0)) await route.continue();
    await page.unrouteAll({ behavior: "wait" });
  };
  const person = page.getByRole("combobox", { name: "Person" });

  await test.step("in a field of a form", async () => {
    await go(page, "Credentials");
    await page.getByRole("button", { name: "Issue credential" }).first().click();
    await person.fill("a");
    await expect(page.getByRole("option", { name: /Ada Lovelace/ })).toBeEnabled();
    await holdBack();
    await person.fill("Alan");
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await expect(page.getByRole("option", { name: /Ada Lovelace/ })).toBeDisabled();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(person).toHaveValue("Alan");
    await answer();
    await expect(page.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(person).toHaveValue("Alan Turing");
  });

  await test.step("an inactive person is shown as such, instead of no result", async () => {
    await person.fill("Gone Before");
    await expect(page.getByText("Gone Before is inactive. Set the person to active first.")).toBeVisible();
    await findAndChoose(page, person, "Alan Turing", /Alan Turing/);
  });

  await test.step("other text in the field chooses nobody", async () => {
    await person.press("End");
    await person.pressSequentially(" or so");
    await person.press("Tab");
    await expect(page.getByText("Choose a person from the list.")).toBeVisible();
    // The first closes the list of templates, to which the focus went.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
  });

  await test.step("in the command palette", async () => {
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search" });
    const search = palette.getByRole("searchbox");
    await search.fill("Ada");
    await expect(palette.getByRole("menuitem", { name: /Ada Lovelace/ })).toBeVisible();
    await holdBack();
    await search.fill("Alan");
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await expect(palette.getByText("Searching…")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(palette).toBeVisible();
    await answer();
    await expect(palette.getByRole("menuitem", { name: /Alan Turing/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Alan Turing" })).toBeVisible();
  });

  await test.step("a form is not submitted while a name is typed and nobody chosen; a long name does not widen the page", async () => {
    const group = await organisation.api<{ id: string }>("POST", "/v1/groups", { name: "Choir", kind: "static" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/groups/${group.id}`);
    await page.getByRole("button", { name: "Add people" }).first().click();
    await person.fill("Wolfe");
    const option = page.getByRole("option", { name: /Wolfe/ });
    await expect(page.getByRole("option")).toHaveCount(1);
    expect((await option.boundingBox())!.width).toBeLessThanOrEqual((await person.boundingBox())!.width + 48);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByLabel("Or paste your ids").fill("r-1");
    await page.getByRole("dialog").getByRole("button", { name: "Add people" }).click();
    await expect(page.getByText("Choose a person from the list.")).toBeVisible();
    await expect(person).toBeFocused();
    expect(await organisation.api("GET", `/v1/groups/${group.id}`)).toMatchObject({ memberCount: 0 });
  });
});

test("the list of results stays on its side of the field when a search makes it shorter", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Steady University");
  const { id } = await certificate(organisation);
  for (const i of Array.from({ length: 9 }).keys())
    await organisation.api("PUT", "/v1/subjects", { externalId: `p-${i}`, displayName: `Person ${i}` });
  await organisation.enter(page);
  const field = page.getByRole("combobox", { name: "Preview with" });
  const options = page.getByRole("option");
  const isBelow = async () => {
    // The position follows the size of the list in the next frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return (await options.first().boundingBox())!.y > (await field.boundingBox())!.y;
  };
  // At some of these heights all results have more room above the field, and one fits below it.
  for (const height of [640, 560, 900]) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(`/templates/${id}/edit`);
    // The list opens with the focus, once the page's scripts run.
    await expect(async () => {
      await field.blur();
      await field.click();
      await expect(options).toHaveCount(8, { timeout: 2_000 });
    }).toPass();
    const before = await isBelow();
    await field.fill("Person 7");
    await expect(options).toHaveCount(1);
    expect(await isBelow(), `at a height of ${height}`).toBe(before);
    await options.first().click();
    await expect(field).toHaveValue("Person 7");
  }
});

test("a credential whose last day is not in the person's record asks for it in one field", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Dayless University");
  await organisation.api("POST", "/v1/templates", {
    name: "Staff card",
    kind: "membership",
    publish: true,
    validity: { type: "attribute", attribute: "contractEnd" },
  });
  const { id } = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
  });
  await organisation.enter(page);
  await page.goto(`/subjects/${id}`);
  await page.getByRole("button", { name: "Issue credential" }).first().click();
  const dialog = page.getByRole("dialog");
  await findAndChoose(page, dialog.getByRole("combobox", { name: "Template" }), "Staff", /^Staff card/);
  const lastDay = dialog.getByRole("textbox", { name: "Valid through" });
  await expect(lastDay).toHaveCount(1);
  await expect(dialog.getByText("Cannot be issued yet")).toBeVisible();
  await dialog.getByRole("button", { name: "Issue credential" }).click();
  await expect(lastDay).toBeFocused();
  await expect(dialog.getByText("Enter a day.")).toBeVisible();
  await lastDay.fill("31/12/2031");
  await expect(dialog.getByText("Valid through 31 December 2031")).toBeVisible();
  await dialog.getByRole("button", { name: "Issue credential" }).click();
  await expect(dialog).toBeHidden();
  expect(await organisation.api("GET", "/v1/credentials")).toMatchObject({
    data: [{ expiresAt: "2032-01-01T00:00:00.000Z" }],
  });
});

test("a new subject never overwrites an existing one, and no typed text is lost without asking", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Careful University");
  const ada = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
    email: "ada@example.edu",
  });
  await organisation.enter(page);
  await go(page, "People");
  await page.getByRole("button", { name: "Add person" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  const question = dialog.getByRole("alertdialog");

  await test.step("an external id in use is refused, with a link to its person", async () => {
    await dialog.getByLabel("Your id").fill("s-1");
    await dialog.getByRole("button", { name: "Add person" }).click();
    await expect(dialog.getByText("Somebody has this id already")).toBeVisible();
    await expect(dialog.getByRole("link", { name: "See who it is" })).toHaveAttribute("href", `/subjects/${ada.id}`);
    expect(await organisation.api("GET", `/v1/subjects/${ada.id}`)).toMatchObject({
      displayName: "Ada Lovelace",
      email: "ada@example.edu",
    });
  });

  await test.step("Escape, a click outside, Cancel and Back ask first, and the typed text stays", async () => {
    const ways = [
      () => page.keyboard.press("Escape"),
      () => page.mouse.click(5, 5),
      () => dialog.getByRole("button", { name: "Cancel" }).click(),
      () => page.evaluate(() => history.back()),
    ];
    for (const leave of ways) {
      // Browsers let a page block Back only after an interaction, such as typing.
      await dialog.getByLabel("Your id").press("End");
      await leave();
      await expect(question).toBeVisible();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await expect(question).toBeHidden();
      await expect(dialog.getByLabel("Your id")).toHaveValue("s-1");
    }
  });

  await test.step("an error keeps the form and is explained; a name with hidden direction controls causes one", async () => {
    await page.route("**/api/trpc/subjects.upsert*", (route) => route.abort("connectionreset"), { times: 1 });
    await dialog.getByLabel("Your id").fill("s-2");
    await dialog.getByLabel("Name").fill("Ada \u202Eecalevol");
    await dialog.getByRole("button", { name: "Add person" }).click();
    await expect(dialog.getByText("It is not known whether the change was made.")).toBeVisible();
    await dialog.getByRole("button", { name: "Add person" }).click();
    await expect(dialog.getByText(/invisible characters that change the direction/)).toBeVisible();
    await expect(dialog.getByLabel("Your id")).toHaveValue("s-2");
  });

  await test.step("Discard closes it", async () => {
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("Back from a page with a half-filled form asks too, and goes back after the confirmation", async () => {
    await go(page, "Templates");
    await page.getByRole("link", { name: "New template" }).first().click();
    await page.getByLabel("Name", { exact: true }).pressSequentially("Library card");
    await page.evaluate(() => history.back());
    const asked = page.getByRole("alertdialog", { name: "Discard what you entered?" });
    await asked.getByRole("button", { name: "Keep editing" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Library card");
    await page.getByLabel("Name", { exact: true }).press("End");
    await page.evaluate(() => history.back());
    await asked.getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/\/templates$/);
  });

  await test.step("links and the command palette ask before they leave the page", async () => {
    await page.getByRole("link", { name: "New template" }).first().click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Library card");
    const asked = page.getByRole("alertdialog", { name: "Leave without saving?" });
    const palette = async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("searchbox").fill("Audit");
      await page.getByRole("menuitem", { name: "Audit log" }).click();
    };
    const ways = [
      () => page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "People" }).click(),
      () => page.getByRole("main").getByRole("link", { name: "Templates" }).click(),
      palette,
    ];
    for (const leave of ways) {
      await leave();
      await asked.getByRole("button", { name: "Keep editing" }).click();
      await expect(asked).toBeHidden();
      await expect(name).toHaveValue("Library card");
    }
    await palette();
    await asked.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page).toHaveURL(/\/audit$/);
  });
});

test("offline, a change fails at once and is not sent later; the end of the session keeps the form", async ({
  page,
  context,
  service,
}) => {
  const organisation = await newOrganisation(service, "Offline University");
  const template = await certificate(organisation);
  const credential = await organisation.api<{ id: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await organisation.enter(page);
  await page.goto(`/credentials/${credential.id}`);
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog");
  const revoke = dialog.getByRole("button", { name: "Revoke for good" });
  await dialog.getByLabel("Public reason").fill("Left the university");

  await context.setOffline(true);
  await expect(page.getByText("You are offline. What you see may be out of date")).toBeVisible();
  await revoke.click();
  await expect(dialog.getByText("What you enter stays here.")).toBeVisible();
  await expect(revoke).toBeEnabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toBeHidden();

  await context.setOffline(false);
  await expect(page.getByText("You are offline. What you see may be out of date")).toBeHidden();
  await go(page, "People");
  await expect(page.getByRole("table", { name: "People" }).getByText("Ada Lovelace")).toBeVisible();
  expect(await organisation.api("GET", `/v1/credentials/${credential.id}`)).toMatchObject({ state: "active" });

  await test.step("a list that cannot be loaded says so instead of loading forever, and loads with the connection", async () => {
    await context.setOffline(true);
    await page.getByRole("searchbox", { name: "Search people" }).fill("nobody");
    await expect(page.getByRole("alert").filter({ hasText: "You are offline" })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText("Nobody matches")).toBeVisible();
  });

  await test.step("signed out elsewhere, the form stays and says how to continue", async () => {
    await page.getByRole("button", { name: "Add person" }).first().click();
    await page.getByLabel("Your id").fill("s-9");
    await context.clearCookies();
    await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
    await expect(page.getByRole("dialog").getByText("Your session has ended")).toBeVisible();
    await expect(page.getByLabel("Your id")).toHaveValue("s-9");
  });
});

test("after a refusal or a lost answer the page shows the present state", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Truthful University");
  const template = await certificate(organisation);
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await organisation.enter(page);
  await page.goto(`${service.url}/credentials/${id}`);
  const dialog = page.getByRole("dialog");

  await test.step("the answer is lost after the change was made", async () => {
    await page.route(
      "**/api/trpc/credentials.suspend*",
      async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Suspend" }).click();
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await expect(dialog.getByText("It is not known whether the change was made.")).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  });

  await test.step("a colleague was faster", async () => {
    await page.getByRole("button", { name: "Resume" }).click();
    await organisation.api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left" });
    await dialog.getByRole("button", { name: "Resume" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText("Verifiers read: “Left”")).toBeVisible();
  });
});

test("a list requests its rows but not the pages behind them", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Frugal University");
  for (let i = 0; i < 12; i++)
    await organisation.api("PUT", "/v1/subjects", { externalId: `p-${i}`, displayName: `Person ${i}` });
  await organisation.enter(page);
  await page.waitForLoadState("networkidle");
  const ahead = callsOf(page, "_rsc");
  await page.goto(`${service.url}/subjects`);
  await expect(page.getByRole("link", { name: "Person 11" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(ahead()).toBe(0);
});
