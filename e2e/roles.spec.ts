import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("an issuer joins by a requested link, filters the event log, and is told who may change the settings", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Role University");
  await organisation.api("PUT", "/v1/subjects", { externalId: "r-1", displayName: "Rosa" });

  let inspections = 0;
  page.on("request", (request) => (inspections += request.url().includes("links.inspect") ? 1 : 0));
  await organisation.join(page, "issuer");
  expect(inspections).toBe(1);

  await page.goto("/events");
  const log = page.getByRole("table", { name: "Events" });
  await expect(log.getByText("subject.created")).toBeVisible();
  await page.getByRole("button", { name: /Event type/ }).click();
  await page.getByRole("option", { name: "credential.issued" }).click();
  await expect(page.getByText("No event matches")).toBeVisible();

  await page.goto("/settings");
  await expect(page.getByText("Your role does not see this")).toBeVisible();
  await expect(page.getByText("Owners, admins, and viewers of Role University do.")).toBeVisible();
  await page.goto("/messages/alerts");
  await expect(page.getByText("Your role does not see this")).toBeVisible();
  await expect(page.getByText("Owners and admins of Role University do.")).toBeVisible();
  await expect(page.getByText("No alerts")).toHaveCount(0);
  await page.goto("/templates/new");
  await expect(page.getByText("Your role does not do this")).toBeVisible();
  await page.goto("/settings/account");
  await expect(page.getByRole("heading", { name: "Your account" }).or(page.getByText("issuer-")).first()).toBeVisible();
  await expect(page.getByText(/Your role does not/)).toBeHidden();
});

test("an empty list of people offers each role what it may do", async ({ browser, service }) => {
  const organisation = await newOrganisation(service, "Empty University");
  for (const [role, words, offers] of [
    [
      "owner",
      "Connect a file that your system exports, or add the first one by hand.",
      ["Connect a file", "Add person"],
    ],
    ["issuer", "Add the first one by hand, or ask an admin to connect a file", ["Add person"]],
    ["viewer", "You may only look at them.", []],
  ] as const) {
    const context = await browser.newContext({ baseURL: service.url });
    const page = await context.newPage();
    await organisation.enter(page, role);
    await page.goto("/subjects");
    await expect(page.getByText(words)).toBeVisible();
    const empty = page.getByText("No people yet").locator("..");
    await expect(empty.getByRole("link").or(empty.getByRole("button"))).toHaveText([...offers]);
    if (role === "owner") {
      await empty.getByRole("link", { name: "Connect a file" }).click();
      await expect(page).toHaveURL(`${service.url}/connectors/new`);
    }
    await context.close();
  }
});
