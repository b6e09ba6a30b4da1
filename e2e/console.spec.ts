import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectAccessibleColors, expectNoWiderThanWindow } from "./fixtures/accessible";
import { heldDirectory } from "./fixtures/held-directory";
import { heldRun } from "./fixtures/held-run";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import { zipOf } from "@/server/connectors/testing/archives";
import { portrait } from "./fixtures/portrait";
import type { Service } from "./fixtures/service";
import { expect, oneBrowser, test } from "./fixtures/test";

const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 640 };
const tablet = { width: 820, height: 1180 };
const desk = { width: 1440, height: 900 };
/** A name without a space, which can only be broken between letters. */
const longName = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesend";

let organisation: Organisation;
let ids: Record<
  | "person"
  | "longNamed"
  | "group"
  | "connector"
  | "run"
  | "directory"
  | "policy"
  | "policyRun"
  | "matching"
  | "active"
  | "revoked"
  | "template"
  | "achievement"
  | "endpoint"
  | "job"
  | "photoImport"
  | "claimLink",
  string
>;

test.beforeAll(async ({ service }: { service: Service }) => {
  organisation = await newOrganisation(service, "Reachable University");
  ids = await fill(service, organisation);
});

/** A policy whose last run waits for an approval. */
async function haltedPolicy(
  { api }: Organisation,
  templateId: string,
): Promise<{ policy: string; policyRun: string; matching: string }> {
  const rule = { field: "attributes.term", op: "eq", value: "autumn" };
  const person = (term: string | null) =>
    api<{ id: string }>("PUT", "/v1/subjects", { externalId: "t-1", displayName: "Alan Turing", attributes: { term } });
  const { id } = await api<{ id: string }>("POST", "/v1/policies", { name: "Students", templateId, rule });
  const { id: matching } = await person("autumn");
  await api("POST", `/v1/policies/${id}/apply`, {});
  await person(null);
  const run = await api<{ id: string }>("POST", `/v1/policies/${id}/apply`, {});
  return { policy: id, policyRun: run.id, matching };
}

/** At least one row for each list and page of the console. */
async function fill(service: Service, organisation: Organisation): Promise<typeof ids> {
  const { api, key } = organisation;
  const post = <T extends object = { id: string }>(path: string, body: object, headers?: Record<string, string>) =>
    api<T>("POST", path, body, headers);
  const endpoint = await post("/v1/webhook_endpoints", { url: "https://example.edu/hook", description: "Records" });
  const photo = { key: "photo", label: "Photo", binding: "subject.photo" };
  const { id: templateId } = await post("/v1/templates", {
    name: "Student card",
    kind: "student_id",
    design: { front: { fields: [photo] }, publicFields: ["photo"], photoApproval: true },
    publish: true,
  });
  const issue = (externalId: string, displayName: string) =>
    post<{ id: string; subjectId: string }>("/v1/credentials", { subject: { externalId, displayName }, templateId });
  const active = await issue("s-1", "Ada Lovelace");
  const revoked = await issue("s-2", longName);
  await post(`/v1/credentials/${revoked.id}/revoke`, { reason: "Left in spring" });
  await fetch(`${service.url}/v1/subjects/${active.subjectId}/photo`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "image/png" },
    body: new Uint8Array(await portrait("#336699")),
  });
  const group = await post("/v1/groups", { name: "Class of 2026" });
  await post(`/v1/groups/${group.id}/members`, { subjectIds: [active.subjectId] });
  const items = [{ id: active.id }, { id: "crd_unknown" }];
  const job = await post("/v1/credentials/bulk", { action: "resume", items }, { prefer: "respond-async" });
  const uploaded = await fetch(`${service.url}/v1/photo_imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/zip" },
    body: new Uint8Array(await zipOf({ "s-1.jpg": await portrait("#336699"), [`${longName}.jpg`]: "no picture" })),
  });
  const photoImport = (await uploaded.json()) as { id: string };
  const held = await heldRun(service, organisation);
  const halted = await haltedPolicy(organisation, templateId);
  const achievement = await post("/v1/achievements", {
    name: longName,
    description: "A course.",
    criteria: { narrative: "Pass.", url: "https://example.edu/course" },
    alignments: [{ targetName: longName, targetUrl: `https://example.edu/${longName}` }],
    resultDescriptions: [{ key: "grade", name: longName, resultType: "LetterGrade", allowedValues: ["A", "B"] }],
    tags: [longName],
  });
  const claimLink = await post("/v1/claim_links", { templateId, name: longName });
  const directory = await heldDirectory(service, organisation);
  return {
    person: active.subjectId,
    group: group.id,
    connector: held.connectorId,
    run: held.id,
    ...halted,
    directory,
    longNamed: revoked.subjectId,
    active: active.id,
    revoked: revoked.id,
    template: templateId,
    achievement: achievement.id,
    endpoint: endpoint.id,
    job: job.id,
    photoImport: photoImport.id,
    claimLink: claimLink.id,
  };
}

const screens = () => [
  "/",
  "/subjects",
  `/subjects/${ids.person}`,
  `/subjects/${ids.longNamed}`,
  "/subjects/photos",
  "/subjects/photo-imports",
  `/subjects/photo-imports/${ids.photoImport}`,
  "/groups",
  `/groups/${ids.group}`,
  "/connectors",
  "/connectors/new",
  "/connectors/new/directory",
  `/connectors/${ids.directory}`,
  `/connectors/${ids.directory}/edit`,
  `/connectors/${ids.directory}/people`,
  `/connectors/${ids.directory}/requests`,
  `/connectors/${ids.directory}/differences`,
  `/connectors/${ids.connector}`,
  `/connectors/${ids.connector}/edit`,
  `/connectors/${ids.connector}/runs/${ids.run}`,
  "/subjects/names",
  "/credentials/names",
  "/claims",
  `/claims/${ids.claimLink}`,
  "/policies",
  `/policies/${ids.policy}`,
  `/policies/${ids.policy}/runs/${ids.policyRun}`,
  `/policies/${ids.policy}/why/${ids.matching}`,
  "/credentials",
  `/credentials/${ids.active}`,
  `/credentials/${ids.revoked}`,
  "/achievements",
  "/achievements/new",
  `/achievements/${ids.achievement}`,
  `/achievements/${ids.achievement}/edit`,
  "/templates",
  "/templates/new",
  `/templates/${ids.template}`,
  `/templates/${ids.template}/edit`,
  "/webhooks",
  "/webhooks/deliveries",
  `/templates/${ids.template}/messages`,
  `/webhooks/${ids.endpoint}`,
  `/webhooks/${ids.endpoint}/settings`,
  `/webhooks/${ids.endpoint}/verify`,
  "/events",
  "/messages",
  "/messages/alerts",
  "/jobs",
  `/jobs/${ids.job}`,
  "/keys",
  "/keys/oauth",
  "/members",
  "/audit",
  "/audit/security",
  "/settings",
  "/settings/account",
  "/settings/issuer",
  "/settings/messages",
  "/settings/wallets",
];

/** The addresses of the console's pages in the code, with "*" for an id. */
const pagesInCode = () =>
  globSync("**/page.tsx", { cwd: join(import.meta.dirname, "../app/(console)") }).map((file) =>
    `/${dirname(file)}`
      .replace(/\/(\.|\([^)]*\))(?=\/|$)/g, "")
      .replace(/\[[^\]]*\]/g, "*")
      .replace(/^$/, "/"),
  );

test("the checked screens are all screens of the console", oneBrowser, () => {
  const checked = screens().map((path) => Object.values(ids).reduce((left, id) => left.replace(id, "*"), path));
  expect([...new Set(checked)].sort()).toEqual(pagesInCode().sort());
});

/** Shows the whole screen with its data. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true], .skeleton")).toHaveCount(0);
}

/** As if the system's theme changed while the page is open. */
async function show(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
}

/** Tests of the `parts` of a walk: they run in parallel, each with an organisation of its own. */
function inParts(parts: number, one: (title: string, choose: <T>(all: T[]) => T[]) => void): void {
  test.describe(() => {
    test.describe.configure({ mode: "parallel" });
    for (let part = 0; part < parts; part++)
      one(`(part ${part + 1} of ${parts})`, (all) => all.filter((_, index) => index % parts === part));
  });
}

inParts(4, (part, choose) =>
  test(`every screen is accessible on a phone and a desk, in light and dark ${part}`, oneBrowser, async ({ page }) => {
    test.slow();
    await organisation.enter(page);
    for (const path of choose(screens()))
      await test.step(path, async () => {
        await page.setViewportSize(phone);
        await visit(page, path);
        for (const [viewport, between] of [
          [phone, narrow],
          [desk, tablet],
        ] as const) {
          await page.setViewportSize(viewport);
          await show(page, "light");
          await expectAccessible(page, `${path} in light at ${viewport.width} px`);
          await show(page, "dark");
          await expectAccessibleColors(page, `${path} in dark at ${viewport.width} px`);
          await page.setViewportSize(between);
          await expectNoWiderThanWindow(page, `${path} at ${between.width} px`);
        }
      });
  }),
);

/** What opens over a screen: the buttons and menu items that lead there, in order. */
const overlays = (): [path: string, ...names: string[]][] => [
  ["/subjects", "Open navigation"],
  ["/subjects", "Search"],
  ["/subjects", "Add person"],
  [`/subjects/${ids.person}`, "Edit"],
  [`/subjects/${ids.person}`, "Issue credential"],
  [`/subjects/${ids.person}`, "More actions", "Deactivate"],
  [`/subjects/${ids.person}`, "More actions", "Delete"],
  [`/subjects/${ids.person}`, "More actions", "Erase…"],
  ["/groups", "Create group"],
  [`/groups/${ids.group}`, "Edit"],
  [`/groups/${ids.group}`, "Add people"],
  [`/groups/${ids.group}`, "More actions", "Delete"],
  [`/connectors/${ids.connector}`, "Upload file"],
  [`/connectors/${ids.connector}`, "More actions", "Delete"],
  [`/connectors/${ids.connector}/runs/${ids.run}`, "Approve"],
  [`/connectors/${ids.directory}`, "Approve all"],
  [`/connectors/${ids.directory}`, "Discard all"],
  [`/connectors/${ids.directory}`, "More actions", "Pause"],
  [`/connectors/${ids.directory}`, "More actions", "Delete"],
  [`/connectors/${ids.directory}`, "Delete token"],
  [`/connectors/${ids.connector}/runs/${ids.run}`, "Cancel file"],
  ["/claims", "Create claim link"],
  [`/claims/${ids.claimLink}`, "Edit"],
  [`/claims/${ids.claimLink}`, "More actions", "Delete"],
  ["/policies", "New policy"],
  [`/policies/${ids.policy}`, "Edit"],
  [`/policies/${ids.policy}`, "Apply"],
  [`/policies/${ids.policy}`, "Approve"],
  [`/policies/${ids.policy}`, "Discard"],
  [`/policies/${ids.policy}`, "More actions", "Delete"],
  [`/policies/${ids.policy}`, "Add exception"],
  [`/credentials/${ids.active}`, "Suspend"],
  [`/credentials/${ids.active}`, "Revoke"],
  [`/credentials/${ids.active}`, "More actions", "Send by e-mail"],
  [`/credentials/${ids.active}`, "More actions", "Change expiry"],
  [`/credentials/${ids.active}`, "More actions", "Reissue"],
  [`/achievements/${ids.achievement}`, "Rename"],
  [`/achievements/${ids.achievement}`, "Delete"],
  [`/templates/${ids.template}`, "Change basics"],
  [`/templates/${ids.template}`, "Actions for version 1", "Show on live credentials…"],
  ["/webhooks", "Register endpoint"],
  [`/webhooks/${ids.endpoint}`, "Send test"],
  [`/webhooks/${ids.endpoint}`, "More actions", "Recover or replay…"],
  [`/webhooks/${ids.endpoint}`, "More actions", "Delete"],
  [`/webhooks/${ids.endpoint}/settings`, "Rotate secret…"],
  ["/keys", "New API key"],
  ["/keys/oauth", "New OAuth client"],
  ["/members", "Invite member"],
  ["/settings/issuer", "Replace key…"],
  ["/settings/account", "Set up"],
];

/**
 * Opened only with the keyboard, so that its opener can be used with the keyboard, and the element that gets the focus
 * back too.
 */
async function open(page: Page, names: readonly string[]): Promise<Locator> {
  for (const name of names) {
    const named = { name, exact: true };
    await page.getByRole("button", named).or(page.getByRole("menuitem", named)).first().press("Enter");
  }
  // The menu is a dialog itself until it is closed.
  if (names.length > 1) await expect(page.getByRole("menu")).toHaveCount(0);
  const dialog = page.getByRole("dialog").last();
  await expect(dialog).toBeVisible();
  return dialog;
}

async function expectToFit(page: Page, dialog: Locator, what: string): Promise<void> {
  const { x, width } = (await dialog.boundingBox())!;
  const beyond = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect.soft([x >= 0, x + width <= page.viewportSize()!.width, beyond <= 0], what).toEqual([true, true, true]);
}

inParts(2, (part, choose) =>
  test(`what opens over a screen fits a phone, is accessible, and gives the focus back ${part}`, async ({ page }) => {
    test.slow();
    await organisation.enter(page);
    await page.setViewportSize(phone);
    for (const [path, ...names] of choose(overlays())) {
      const what = `${path}: ${names.join(", ")}`;
      await test.step(what, async () => {
        await page.emulateMedia({ colorScheme: "light" });
        await visit(page, path);
        const dialog = await open(page, names);
        await expect.poll(() => dialog.evaluate((it) => it.contains(document.activeElement)), what).toBe(true);
        await expectToFit(page, dialog, `${what} at 390 px`);
        await expectAccessible(page, `${what} in light`);
        await show(page, "dark");
        await page.setViewportSize(narrow);
        await expectToFit(page, dialog, `${what} at 320 px`);
        await expectAccessibleColors(page, `${what} in dark`);
        await expectNoWiderThanWindow(page, `${what} at 320 px`);
        await page.setViewportSize(phone);
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
        await expect(page.getByRole("button", { name: names[0]!, exact: true }).first()).toBeFocused();
      });
    }
  }),
);

test("a filter by an id shows the record's name", async ({ page }) => {
  await organisation.enter(page);
  await page.goto(`/events?resource=${ids.person}`);
  const box = page.getByRole("searchbox", { name: "Narrow to a resource, or open an event" });
  const chip = (about: string) => page.getByRole("button", { name: `${about}: clear this filter` });
  await expect(chip(`About Ada Lovelace, ${ids.person}`)).toBeVisible();
  await expect(box).toHaveValue("");

  await box.fill(ids.template);
  await expect(chip(`About Student card, ${ids.template}`)).toBeVisible();
  await expect(box).toHaveValue("");
  await expect(box).toBeFocused();
  await expect(page.getByRole("table", { name: "Events" })).toContainText("Student card");

  await box.fill("grp_unknown");
  await expect(page.getByText("No event matches")).toBeVisible();
  await expect(box).toHaveValue("grp_unknown");

  await page.goto(`/audit?target=${ids.endpoint}`);
  await expect(chip(`About Records, ${ids.endpoint}`)).toBeVisible();
  await chip(`About Records, ${ids.endpoint}`).press("Enter");
  await expect(page).toHaveURL(/\/audit$/);
  await expect(page.locator(":focus")).toBeVisible();
});

test("a link that is followed right after typing a search leads where it should", oneBrowser, async ({ page }) => {
  await organisation.enter(page);
  await visit(page, "/subjects");
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(
    (url) => url.pathname === "/groups",
    async (route) => {
      isAsked();
      await answered;
      await route.continue();
    },
  );
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.getByRole("searchbox", { name: "Search people" }).fill("nobody");
  await page.getByRole("link", { name: "Groups" }).click();
  await asked;
  // Long enough for the search to begin, had the link not been followed.
  await page.clock.runFor(1_000);
  await page.clock.resume();
  answer();
  await expect(page.getByRole("heading", { level: 1, name: "Groups" })).toBeVisible();
});

test("on a phone a list is sorted and filtered, and the focus stays where it was", async ({ page }) => {
  await organisation.enter(page);
  await page.setViewportSize(phone);
  await visit(page, "/subjects");
  const names = page.getByRole("table", { name: "People" }).getByRole("link");
  const choose = async (menu: string, option: string) => {
    const button = page.getByRole("button", { name: menu });
    await button.press("Enter");
    await page.getByRole("option", { name: option }).press("Enter");
    await expect(button).toBeFocused();
  };
  await choose("Sort", "Name, Z to A");
  await expect(names.last()).toHaveText("Ada Lovelace");
  await choose("Sort", "Name, A to Z");
  await expect(names.first()).toHaveText("Ada Lovelace");
  await choose("Status", "Inactive");
  await expect(page.getByText("Nobody matches")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).press("Enter");
  await expect(names.first()).toHaveText("Ada Lovelace");
  await expect(page.locator(":focus")).toBeVisible();
});
