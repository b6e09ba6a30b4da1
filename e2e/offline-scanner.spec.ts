import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { BrowserContext, Page } from "@playwright/test";
import { startCutLine, type CutLine } from "./fixtures/cut-line";
import { newOrganisation } from "./fixtures/organisation";
import { readQrOfPage } from "./fixtures/read-qr";
import type { Service } from "./fixtures/service";
import { expect, test } from "./fixtures/test";

interface Credential {
  id: string;
  code: string;
  verifyUrl: string;
}

async function issuer(service: Service, name: string) {
  const { api } = await newOrganisation(service, name);
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
    design: { signedQr: true },
  });
  const issue = (displayName: string) =>
    api<Credential>("POST", "/v1/credentials", { subject: { externalId: displayName, displayName }, templateId });
  return { api, issue };
}

let line: CutLine;
test.beforeEach(async ({ service }) => {
  line = await startCutLine(service.url);
});
test.afterEach(() => line.close());

async function cut(context: BrowserContext) {
  line.cut();
  await context.setOffline(true);
}

async function mend(context: BrowserContext) {
  line.mend();
  await context.setOffline(false);
}

/** Opens the scanner and keeps it on the device. */
async function keepScanner(page: Page) {
  await page.goto(`${line.url}/verify`);
  await page.getByText("Without a connection", { exact: true }).click();
  await page.getByRole("button", { name: "Keep the scanner on this device" }).click();
  await expect(page.getByText("The scanner is kept on this device")).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
}

async function check(page: Page, text: string) {
  const field = page.getByLabel("Code or link");
  await field.fill(text);
  await field.press("Enter");
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", typeof name === "string" ? { name, exact: true } : { name });
const asKnown = "Signed, and not revoked as last known";

test("offline, a signed QR code is checked with the device's data, whose age is shown", async ({
  page,
  context,
  service,
}) => {
  const { api, issue } = await issuer(service, "Northfield University");
  const [ada, grace] = [await issue("Ada Lovelace"), await issue("Grace Hopper")];
  const [adas, graces] = [await readQrOfPage(page, ada.verifyUrl), await readQrOfPage(page, grace.verifyUrl)];
  expect(adas).toMatch(/^HTTP:\/\/LOCALHOST:\d+\/C\/[0-9A-Z-]{19}#[A-Z2-7]{250,}$/);
  const stranger = await issuer(service, "Southfield University");
  const strangers = await readQrOfPage(page, (await stranger.issue("Mallory")).verifyUrl);

  await keepScanner(page);
  await expect(page.getByText("None yet.")).toBeVisible();
  await check(page, grace.code);
  await expect(heading(page, "Valid")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Northfield University" })).toContainText("Last updated");

  // Revoked after the device loaded the list, which an offline device cannot know.
  await api("POST", `/v1/credentials/${ada.id}/revoke`, { reason: "Left the university" });
  await cut(context);
  await page.goto(`${line.url}/verify`);
  await expect(heading(page, "Check a credential")).toBeVisible();
  await check(page, adas);
  await expect(heading(page, asKnown)).toBeVisible();
  await expect(page.getByText(/^Neither revoked nor suspended as of .+, .+ ago\.$/)).toBeVisible();
  await expect(page.getByText("Whether it was revoked since then cannot be known")).toBeVisible();
  await expect(page.getByText("Ada Lovelace", { exact: true })).toBeVisible();
  await expect(page.getByText("Signed by Northfield University")).toBeVisible();

  // Another name under the same signature; one code with another's statement; another issuer; no statement.
  const at = adas.indexOf("#") + 120;
  await check(page, `${adas.slice(0, at)}${adas[at] === "A" ? "B" : "A"}${adas.slice(at + 1)}`);
  await expect(heading(page, /^(?:Not genuine|This could not be checked: no connection)$/)).toBeVisible();
  await check(page, adas.split("#")[0] + "#" + graces.split("#")[1]);
  await expect(heading(page, "Not genuine")).toBeVisible();
  await expect(page.getByText("Grace Hopper", { exact: true })).toBeHidden();
  await check(page, strangers);
  await expect(heading(page, "Could not be checked: unknown issuer")).toBeVisible();
  await check(page, grace.verifyUrl);
  await expect(heading(page, "This could not be checked: no connection")).toBeVisible();
  await expect(page.getByText("is kept, and is checked as soon as there is an answer")).toBeVisible();

  // The service's answer replaces the device's as soon as it arrives.
  await check(page, adas);
  await expect(heading(page, asKnown)).toBeVisible();
  await mend(context);
  await expect(heading(page, "Revoked")).toBeVisible();
  await page.getByText("Without a connection", { exact: true }).click();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("button", { name: "Refresh" })).toBeEnabled();

  // Now the device has a list that includes the revocation.
  await cut(context);
  await check(page, adas);
  await expect(heading(page, "Ended by its issuer")).toBeVisible();
  await expect(page.getByText(/^The list of .+ ago, says so:/)).toBeVisible();
  await check(page, graces);
  await expect(heading(page, asKnown)).toBeVisible();

  // The lists are valid for three days.
  await page.clock.setSystemTime(Date.now() + 4 * 86_400_000);
  await check(page, graces);
  await expect(heading(page, "Could not be checked: too long without a connection")).toBeVisible();
});

test("a card that the service called revoked is not accepted offline afterwards", async ({
  page,
  context,
  service,
}) => {
  const { api, issue } = await issuer(service, "Westfield University");
  const [ada, grace] = [await issue("Ada Lovelace"), await issue("Grace Hopper")];
  const adas = await readQrOfPage(page, ada.verifyUrl);
  await keepScanner(page);
  await check(page, grace.code);
  await expect(heading(page, "Valid")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Westfield University" })).toContainText("Last updated");
  // The list on the device is older than the revocation, and too new to be refreshed automatically.
  await api("POST", `/v1/credentials/${ada.id}/revoke`, { reason: "Left the university" });
  const keptAt = () =>
    page.evaluate(async () => {
      const kept = await caches.open("bonafide-issuers");
      const [issuer] = await kept.matchAll();
      return ((await issuer!.json()) as { keptAt: string }).keptAt;
    });
  const before = await keptAt();
  await check(page, ada.code);
  await expect(heading(page, "Revoked")).toBeVisible();
  await expect.poll(keptAt).not.toBe(before);
  await cut(context);
  await check(page, adas);
  await expect(heading(page, "Ended by its issuer")).toBeVisible();
  await expect(page.getByText(/^The list of .+, says so:/)).toBeVisible();
});

test("attendance is counted once per code, also offline, and exported from the device", async ({
  page,
  context,
  service,
  showToCamera,
}) => {
  const { api, issue } = await issuer(service, "Eastfield University");
  const [ada, grace] = [await issue("Ada Lovelace"), await issue("Grace Hopper")];
  const graces = await readQrOfPage(page, grace.verifyUrl);
  await showToCamera(graces);
  await keepScanner(page);
  await page.getByLabel("Place or event").fill("Hall 2, =today");
  await page.getByRole("button", { name: "Start" }).click();
  await check(page, ada.code);
  await expect(page.getByText("Counted: 1 at Hall 2, =today.")).toBeVisible();
  await check(page, ada.code);
  await expect(page.getByText(/^Already scanned here at \d\d:\d\d.*It is counted once\.$/)).toBeVisible();

  // The lists on the device are older than the revocation.
  await api("POST", `/v1/credentials/${grace.id}/revoke`, { reason: "Left" });
  await cut(context);
  await page.goto(`${line.url}/verify`);
  // Camera and decoder work from kept files.
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(heading(page, asKnown)).toBeVisible();
  await expect(page.getByText("Counted: 2 at Hall 2, =today.")).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();

  // A code that was accepted offline and refused online stays in the list, marked.
  await mend(context);
  await expect(page.getByText("It was counted without a connection, and is marked as refused now.")).toBeVisible();
  await page.getByText("Without a connection", { exact: true }).click();
  await expect(page.getByText("Hall 2, =today: 1 accepted, 1 refused later")).toBeVisible();
  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export Hall 2, =today as CSV" }).click();
  const download = await exported;
  expect(download.suggestedFilename()).toBe("attendance-Hall-2-today.csv");
  const [head, first, second, end] = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(head).toBe("\ufeffplace,scanned_at,code,credential,checked,result");
  expect(first).toMatch(new RegExp(`^"Hall 2, =today",\\d{4}-.+Z,${ada.code},Student card,with connection,accepted$`));
  expect(second).toMatch(new RegExp(`,${grace.code},Student card,with connection,"accepted, refused later"$`));
  expect(end).toBe("");
  await page.getByRole("button", { name: "Remove Hall 2, =today" }).click();
  await page.getByRole("button", { name: "Remove 2 credentials" }).click();
  await expect(page.getByText("Hall 2, =today: 1 accepted, 1 refused later")).toBeHidden();
});

test.describe("in a browser that asks for German", () => {
  test.use({ locale: "de-DE" });

  test("the scanner speaks German, also offline", async ({ page, context, service }) => {
    const { issue } = await issuer(service, "Hochschule Ostheim");
    const ada = await issue("Ada Lovelace");
    const adas = await readQrOfPage(page, ada.verifyUrl);
    await page.goto(`${line.url}/verify`);
    await page.getByText("Ohne Verbindung", { exact: true }).click();
    await page.getByRole("button", { name: "Scanner auf diesem Gerät speichern" }).click();
    await expect(page.getByText("Der Scanner ist auf diesem Gerät gespeichert")).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByLabel("Ort oder Veranstaltung").fill("Hörsaal 2");
    await page.getByRole("button", { name: "Starten" }).click();
    const checkHere = async () => {
      await page.getByLabel("Code oder Link").fill(adas);
      await page.getByLabel("Code oder Link").press("Enter");
    };
    await checkHere();
    await expect(page.getByText("Gezählt: 1 bei Hörsaal 2.")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Hochschule Ostheim" })).toContainText(
      "Zuletzt aktualisiert",
    );
    await cut(context);
    await page.goto(`${line.url}/verify`);
    await checkHere();
    await expect(heading(page, "Signiert, und nach letztem Stand nicht widerrufen")).toBeVisible();
    await expect(
      page.getByText(/^Weder widerrufen noch ausgesetzt, Stand: \d+\. \p{L}+ \d{4} .+ vor .+\.$/u),
    ).toBeVisible();
    await expect(page.getByText(/^Hier schon gescannt: .+ Es zählt einmal\.$/)).toBeVisible();
    await page.getByText("Ohne Verbindung", { exact: true }).click();
    await expect(page.getByText("Hörsaal 2: 1 angenommen")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});

test("the scanner can be put on the home screen, and be removed from the device", async ({ page }) => {
  await keepScanner(page);
  const browser = await page.context().newCDPSession(page);
  const { errors, data } = await browser.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data!)).toMatchObject({
    id: "/verify",
    start_url: "/verify",
    scope: "/verify",
    display: "standalone",
  });
  await page.getByLabel("Add an issuer by its short name").fill("nobody-at-all");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("There is no issuer with this short name here.")).toBeVisible();
  await page.getByRole("button", { name: "Remove the scanner from this device" }).click();
  await expect(page.getByRole("button", { name: "Keep the scanner on this device" })).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).not.toContain("bonafide-scanner");
});
