import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { freePort } from "../scripts/database/ports.mjs";
import type { Arrival } from "./fixtures/listener";
import { newOrganisation } from "./fixtures/organisation";
import { isGenuine } from "./fixtures/signature";
import { expect, test } from "./fixtures/test";

const signatureOf = ({ headers }: Arrival) => String(headers["svc-signature"]);
const standardAccepts = ({ headers, body }: Arrival, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** Reads the secret that is shown once, and confirms that it was stored. */
async function keepSecret(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.getByTestId("secret").textContent())!;
  expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await dialog.getByText("I have stored it").click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  return secret;
}

test("a webhook endpoint: registered, failing, inspected, resent, rotated, paused, disabled, recovered and tested", async ({
  page,
  service,
  listener,
}) => {
  test.setTimeout(240_000);
  const organisation = await newOrganisation(service, "Webhook University");
  const happen = (externalId: string) =>
    organisation.api("PUT", "/v1/subjects", { externalId, displayName: `Student ${externalId}` });
  const about = (externalId: string) =>
    listener.received.filter((event) => event.data.object.externalId === externalId).length;
  const tab = (name: string) => page.getByRole("navigation", { name: "Endpoint" }).getByRole("link", { name }).click();
  const newest = page.getByRole("table", { name: "Deliveries" }).getByRole("row").nth(1);
  const panel = page.getByRole("dialog");
  const attempt = (number: number) => panel.getByRole("group", { name: new RegExp(`^Attempt ${number}`) });
  const closePanel = async () => {
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
  };

  await organisation.enter(page);

  await test.step("register: events are chosen by family, and the secret is shown once", async () => {
    await page
      .getByRole("navigation", { name: "Console" })
      .getByRole("link", { name: "Webhooks", exact: true })
      .click();
    await page.getByRole("button", { name: "Register endpoint" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(listener.url);
    await dialog.getByLabel("Description").fill("Student system");
    const family = dialog.getByRole("group", { name: "subject.*" });
    await expect(family.getByRole("checkbox", { name: "Person added subject.created" })).not.toBeChecked();
    await family.getByText("subject.*", { exact: true }).click();
    await expect(family.getByRole("checkbox", { name: "Person added subject.created" })).toBeChecked();
    await dialog
      .getByRole("group", { name: /, credential\.\*$/ })
      .getByText("credential.*", { exact: true })
      .click();
    await dialog.getByRole("button", { name: "Register", exact: true }).click();
    listener.secret = await keepSecret(page);
    await expect(page.getByRole("heading", { name: "Student system" })).toBeVisible();
    for (const language of ["Node", "Python", "Go", "PHP"])
      await expect(page.getByRole("tab", { name: new RegExp(language) })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("tab", { name: /Python/ })).toBeVisible();
    expect(await page.content()).not.toContain(listener.secret);
    const { data } = await organisation.api<{ data: { eventTypes: string[] }[] }>("GET", "/v1/webhook_endpoints");
    expect(data.map((endpoint) => endpoint.eventTypes)).toEqual([["subject.*"]]);
  });

  await test.step("an event is delivered, and the list shows it", async () => {
    await tab("Deliveries");
    await expect(page.getByText("Nothing was sent yet")).toBeVisible();
    await happen("s-1");
    await expect.poll(() => about("s-1")).toBe(1);
    await expect(newest).toContainText("subject.created");
    await expect(newest).toContainText("Delivered");
  });

  await test.step("fail, inspect: each attempt is listed, with its error in words and the time of the next", async () => {
    listener.status = 500;
    await happen("s-2");
    await expect(newest).toContainText("Retrying");
    await newest.getByRole("button").click();
    // The second attempt follows some five seconds after the first; the third five minutes later.
    const latest = attempt(2);
    await expect(latest.getByText("It was not accepted")).toBeVisible();
    await expect(latest.getByText(/listener answered, but not with a 2xx/)).toBeVisible();
    await expect(latest.getByText("Answer 500")).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Attempt 1/ })).toBeVisible();
    await expect(panel.getByText(/^in [3-6] min/)).toBeVisible();
    await panel.getByRole("radio", { name: "Raw" }).click();
    const [first, second] = listener.arrivals.slice(-2);
    await expect(panel.getByText(first!.body.toString(), { exact: true })).toBeVisible();
    expect(second!.body.equals(first!.body)).toBe(true);
    expect([first, second].map((arrival) => arrival!.headers["svc-attempt"])).toEqual(["1", "2"]);
    await expect(latest.getByText(signatureOf(second!))).toBeVisible();
  });

  await test.step("resend after the repair: delivered, with the same bytes", async () => {
    listener.status = 204;
    await panel.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => about("s-2")).toBe(1);
    await expect(attempt(3).getByText("Answer 204")).toBeVisible();
    await expect(panel.getByText("Delivered")).toBeVisible();
    await expect(panel.getByText("Resent by hand")).toBeVisible();
    const [failed, accepted] = listener.arrivals.slice(-2);
    expect(accepted!.body.equals(failed!.body)).toBe(true);
    expect(accepted!.headers["svc-delivery-id"]).toBe(failed!.headers["svc-delivery-id"]);
    await closePanel();
    await expect(newest).toContainText("Delivered");
  });

  await test.step("many failed deliveries are chosen and resent at once", async () => {
    const before = listener.received.length;
    await page.getByRole("checkbox", { name: "Choose all on this page" }).press("Space");
    await page.getByRole("region", { name: "Chosen rows" }).getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => listener.received.length).toBe(before + 2);
  });

  await test.step("rotate: both secrets verify until the old one is retired", async () => {
    const old = listener.secret;
    await tab("Settings");
    await page.getByRole("button", { name: "Rotate secret…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret", exact: true }).click();
    const fresh = await keepSecret(page);
    expect(fresh).not.toBe(old);
    await expect(page.getByText("Two secrets sign for another")).toBeVisible();
    await expect(page.getByRole("timer")).toHaveText(/^23 h 5\d min$/);

    await happen("s-3");
    await expect.poll(() => about("s-3")).toBe(1);
    const during = listener.arrivals.at(-1)!;
    expect(isGenuine(signatureOf(during), during.body, fresh, "first")).toBe(true);
    expect(isGenuine(signatureOf(during), during.body, old, "last")).toBe(true);
    expect([old, fresh].map((secret) => standardAccepts(during, secret))).toEqual([true, true]);

    listener.secret = fresh;
    await page.getByRole("button", { name: "Retire now" }).click();
    await expect(page.getByText("Two secrets sign for another")).toBeHidden();
    await happen("s-4");
    await expect.poll(() => about("s-4")).toBe(1);
    const after = listener.arrivals.at(-1)!;
    expect(signatureOf(after)).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(isGenuine(signatureOf(after), after.body, old, "first")).toBe(false);
    expect([old, fresh].map((secret) => standardAccepts(after, secret))).toEqual([false, true]);
  });

  await test.step("pause: deliveries wait, and go out when it is enabled", async () => {
    await tab("Deliveries");
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText("Deliveries wait and none is lost")).toBeVisible();
    await happen("s-5");
    await expect(newest).toContainText("Queued");
    expect(about("s-5")).toBe(0);
    await page.getByRole("button", { name: "Enable" }).click();
    await expect.poll(() => about("s-5")).toBe(1);
    await expect(newest).toContainText("Delivered");
  });

  await test.step("recover: deliveries that were parked while it was disabled are sent", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await expect(page.getByText(/It was disabled by hand/)).toBeVisible();
    await happen("s-6");
    await expect(newest).toContainText("Parked");
    await page.getByRole("button", { name: "Enable" }).click();
    await expect(page.getByText(/It was disabled by hand/)).toBeHidden();
    await expect(newest).toContainText("Parked");
    expect(about("s-6")).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Recover or replay…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Recover", exact: true }).click();
    await expect.poll(() => about("s-6")).toBe(1);
    await expect(newest).toContainText("Delivered");
  });

  await test.step("a test event is a sample of a type that the endpoint does not even subscribe to", async () => {
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send test" }).click();
    await expect.poll(() => listener.received.at(-1)).toMatchObject({ type: "credential.issued", test: true });
    await expect(page).toHaveURL(/delivery=dlv_/);
    await expect(panel.getByText("A test", { exact: true })).toBeVisible();
    await expect(panel.getByText("Delivered")).toBeVisible();
    await closePanel();
  });

  await test.step("the list is filtered by the URL", async () => {
    await page.goto(`${page.url().split("?")[0]}?type=subject.*&status=succeeded&time=1h`);
    await expect(page.getByText("6 deliveries")).toBeVisible();
    await page.goto(`${page.url().split("?")[0]}?status=failed`);
    await expect(page.getByText("No delivery matches")).toBeVisible();
  });

  expect(listener.refused).toBe(0);
});

test("deliveries to all endpoints: filtered by failures at one, inspected, resent singly, in bulk and since a time", async ({
  page,
  service,
  listener,
}) => {
  const organisation = await newOrganisation(service, "Delivery University");
  const register = (url: string, description: string) =>
    organisation.api<{ id: string; secret: string }>("POST", "/v1/webhook_endpoints", {
      url,
      description,
      eventTypes: ["subject.*"],
    });
  const sendTest = (id: string) =>
    organisation.api("POST", `/v1/webhook_endpoints/${id}/test`, { type: "subject.created" });
  const student = await register(listener.url, "Student system");
  const alumni = await register(`http://127.0.0.1:${await freePort()}/hooks`, "Alumni portal");
  listener.secret = student.secret;
  listener.status = 500;
  // A test is not retried, so it fails at once.
  for (const { id } of [student, student, alumni]) await sendTest(id);
  const table = page.getByRole("table", { name: "Deliveries" });
  const rows = table.getByRole("row").filter({ has: page.getByRole("cell") });
  const panel = page.getByRole("dialog");
  const narrow = async (filter: string, to: string) => {
    await page.getByRole("button", { name: filter }).click();
    await page.getByRole("option", { name: to }).click();
  };

  await organisation.enter(page);

  await test.step("filter: the URL has the filters, and a reload keeps them", async () => {
    await page
      .getByRole("navigation", { name: "Console" })
      .getByRole("link", { name: "Webhooks", exact: true })
      .click();
    await page.getByRole("navigation", { name: "Webhooks" }).getByRole("link", { name: "Deliveries" }).click();
    // The list of endpoints has a filter by status too.
    await expect(table).toBeVisible();
    await narrow("Any status", "Failed");
    await expect(rows).toHaveCount(3);
    await expect(rows.filter({ hasText: "Alumni portal" })).toContainText("No connection");
    await narrow("Any endpoint", "Student system");
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(new RegExp(`/webhooks/deliveries\\?status=failed&endpoint=${student.id}$`));
    await page.reload();
    await expect(rows).toHaveCount(2);
    await expect(table).not.toContainText("Alumni portal");
    await expect(page.getByText("2 deliveries")).toBeVisible();
  });

  await test.step("inspect and resend: the delivery succeeds, and is no longer among the failed ones", async () => {
    await rows.first().getByRole("button").click();
    await expect(panel.getByText(/listener answered, but not with a 2xx/)).toBeVisible();
    await expect(panel.getByRole("link", { name: "Student system" })).toHaveAttribute(
      "href",
      `/webhooks/${student.id}`,
    );
    listener.status = 204;
    await panel.getByRole("button", { name: "Resend" }).click();
    await expect(panel.getByText("Delivered")).toBeVisible();
    await expect(panel.getByRole("group", { name: /^Attempt 2/ }).getByText("Answer 204")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(rows).toHaveCount(1);
  });

  await test.step("many: the rest is chosen and resent", async () => {
    await page.getByRole("checkbox", { name: "Choose all on this page" }).press("Space");
    await page.getByRole("region", { name: "Chosen rows" }).getByRole("button", { name: "Resend" }).click();
    await expect(page.getByText("No delivery matches")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(rows.filter({ hasText: "Delivered" })).toHaveCount(2);
    await expect(rows.filter({ hasText: "Alumni portal" })).toContainText("Failed");
    expect(listener.received).toHaveLength(2);
  });

  await test.step("since a time: parked deliveries of every endpoint are counted and sent", async () => {
    await organisation.api("POST", `/v1/webhook_endpoints/${student.id}/disable`, {});
    for (const externalId of ["s-1", "s-2"])
      await organisation.api("PUT", "/v1/subjects", { externalId, displayName: externalId });
    await expect(rows.filter({ hasText: "Parked" })).toHaveCount(2);
    await organisation.api("POST", `/v1/webhook_endpoints/${student.id}/enable`, {});
    await page.reload();
    await page.getByRole("button", { name: "Recover or replay…" }).click();
    await expect(panel.getByText("1 failed and 2 parked in this time")).toBeVisible();
    await panel.getByRole("button", { name: "Recover", exact: true }).click();
    await expect(page.getByText("2 deliveries are sent now")).toBeVisible();
    await expect.poll(() => listener.received.filter((event) => !event.test).length).toBe(2);
    await expect(rows.filter({ hasText: "Parked" })).toHaveCount(0);
  });

  await test.step("the endpoint remembers its last failure, and links to the delivery", async () => {
    await page.goto(`${service.url}/webhooks/${student.id}`);
    await expect(page.getByText(/Last failure .* it was not accepted\..* It has recovered since\./)).toBeVisible();
    await page.getByRole("link", { name: "Show the delivery" }).click();
    await expect(panel.getByRole("group", { name: /^Attempt 2/ }).getByText("Answer 204")).toBeVisible();
  });
});

test("the event explorer links an event to its deliveries, and to its record", async ({ page, service, listener }) => {
  const organisation = await newOrganisation(service, "Explorer University");
  const endpoint = await organisation.api<{ id: string; secret: string }>("POST", "/v1/webhook_endpoints", {
    url: listener.url,
    description: "Student system",
    eventTypes: ["subject.*"],
  });
  listener.secret = endpoint.secret;
  const subject = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
  });
  await organisation.api("PUT", "/v1/subjects", { externalId: "s-1", displayName: "Ada King" });
  await expect.poll(() => listener.received.map((event) => event.type)).toEqual(["subject.created", "subject.updated"]);

  await organisation.enter(page);
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "subject.updated" }).getByRole("button").click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("deletion")).toContainText("Ada Lovelace");
  await expect(panel.getByRole("link", { name: /Student system/ })).toContainText("Delivered");
  await panel.getByRole("link", { name: /Student system/ }).click();
  await expect(page).toHaveURL(new RegExp(`/webhooks/${endpoint.id}\\?delivery=dlv_`));
  await expect(panel.getByRole("group", { name: /^Attempt 1/ })).toBeVisible();
  await panel.getByRole("link", { name: /^evt_/ }).click();
  await expect(page).toHaveURL(/\/events\?event=evt_/);
  await panel.getByRole("link", { name: "Ada King" }).click();
  await expect(page).toHaveURL(`${service.url}/subjects/${subject.id}`);
  await expect(page.getByRole("heading", { name: "Ada King" })).toBeVisible();
});
