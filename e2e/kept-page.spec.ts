import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

// A holder far from the organisation: the page tells times in the organisation's zone alone.
test.use({ timezoneId: "Asia/Tokyo" });

const onePixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Credential {
  id: string;
  code: string;
  verifyUrl: string;
}

test("a kept page can be read offline as the last known state, and shows the present state afterwards", async ({
  page,
  context,
  service,
  browser,
}) => {
  // In older versions the service worker can still reach the service, so the network is not cut there.
  test.skip(Number.parseInt(browser.version(), 10) < 150, "This Chromium cannot cut a service worker's network");
  const { api } = await newOrganisation(service, "Northfield University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
    design: { logo: onePixel },
  });
  const issue = (externalId: string) =>
    api<Credential>("POST", "/v1/credentials", { subject: { externalId, displayName: "Ada Lovelace" }, templateId });
  const [mine, other] = [await issue("kept"), await issue("not-kept")];

  // Opening another credential leaves no copy of it behind.
  await page.goto(other.verifyUrl);
  await page.goto(mine.verifyUrl);
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByText("Kept on this device.")).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(page.getByText("Kept on this device.")).toBeVisible();
  const keptPages = await page.evaluate(async () => {
    const kept = await caches.open("bonafide-kept");
    return (await kept.keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/c/"));
  });
  expect(keptPages).toEqual([`/c/${mine.code}`]);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText("No connection: this is what was known last")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Was valid / })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toHaveCount(0);
  // The notice, the heading and the moment of the check.
  const shown = await page.getByRole("main").innerText();
  expect(shown.match(/\b(?:UTC|JST|GMT\S*)/g)).toEqual(["UTC", "UTC", "UTC"]);
  await expect(page.locator("[data-holder]").getByText("Ada Lovelace")).toBeVisible();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const logo = page.getByRole("img", { name: /^Student card, issued by/ }).locator("img");
  await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  await expect(page.locator("[data-result]")).toHaveCSS("filter", "grayscale(1)");
  await expect(page.evaluate((url) => fetch(url), other.verifyUrl)).rejects.toThrow("Failed to fetch");

  await api("POST", `/v1/credentials/${mine.id}/revoke`, { reason: "Left the university" });
  await page.reload();
  await expect(page.getByRole("heading", { name: /^Was valid / })).toBeVisible();
  await context.setOffline(false);
  // The page is refreshed within 15 seconds, whatever the browser reports about its connection.
  await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("No connection: this is what was known last")).toBeHidden();
  const remove = page.getByRole("button", { name: "Remove from this device" });
  await remove.click();
  await expect(remove).toHaveCount(0);
  // Nothing of it remains, not even the files that it loaded, such as a photo.
  const keptFiles = () => page.evaluate(async () => (await (await caches.open("bonafide-kept")).keys()).length);
  await expect.poll(keptFiles).toBe(0);
  // A revoked credential's page does not offer to keep it.
  await expect(page.getByRole("button", { name: "Keep on this device" })).toHaveCount(0);
});

test("the page of a credential can be put on the home screen", async ({ page, service }) => {
  const { api } = await newOrganisation(service, "Southfield University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Library card",
    kind: "membership",
    publish: true,
  });
  const { code, verifyUrl } = await api<Credential>("POST", "/v1/credentials", {
    subject: { externalId: "home-screen", displayName: "Ada Lovelace" },
    templateId,
  });
  await page.goto(verifyUrl);
  const browser = await page.context().newCDPSession(page);
  const { errors, data } = await browser.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data!)).toMatchObject({
    id: `/c/${code}`,
    start_url: `/c/${code}`,
    name: "Library card, Southfield University",
    display: "standalone",
  });
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // A headless browser cannot install anything; the page itself allows it.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});
