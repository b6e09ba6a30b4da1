import type { Page } from "@playwright/test";
import { guides, reference } from "@/app/docs/_parts/guides";
import { errorTable } from "@/server/core/errors";
import { expectAccessible, expectAccessibleColors, expectNoWiderThanWindow } from "./fixtures/accessible";
import { expect, oneBrowser, test } from "./fixtures/test";

/** Requests of the page to hosts other than ours. */
function strangers(page: Page, url: string): string[] {
  const found: string[] = [];
  page.on(
    "request",
    (request) => /^https?:/.test(request.url()) && !request.url().startsWith(url) && found.push(request.url()),
  );
  return found;
}

test("the guides are accessible, in both appearances, and fit a phone", oneBrowser, async ({ page, service }) => {
  const asked = strangers(page, service.url);
  for (const { href, label } of guides) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${service.url}${href}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(label);
    await expectAccessible(page, `${href} in light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessibleColors(page, `${href} in dark`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoWiderThanWindow(page, `${href} at 390 px`);
  }
  expect(asked).toEqual([]);
});

test("on a phone the guides are listed behind one line, and samples are copied with this service's address", async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/docs`);
  await page.locator("summary", { hasText: "Quick start" }).click();
  await page.getByRole("navigation", { name: "Guides" }).getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  await page.getByRole("button", { name: "Python" }).click();
  await expect(page.getByText("hmac.compare_digest")).toBeVisible();
  await page.goto(`${service.url}/docs`);
  await page.getByRole("button", { name: "Copy Your shell" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`export BASE=${service.url}`);
});

test("without JavaScript the samples show this service's address", async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/docs`);
  await expect(page.getByLabel("Your shell", { exact: true })).toContainText(`export BASE=${service.url}`);
  await context.close();
});

test("the address in a refusal leads to the cause and remedy of its code", async ({ page, service }) => {
  const { type, code } = (await (await fetch(`${service.url}/v1/me`)).json()) as { type: string; code: string };
  await page.goto(type);
  const entry = page.locator(`[id="${code}"]`);
  await expect(entry).toBeInViewport();
  await expect(entry).toContainText("What to do: Send Authorization: Bearer");
  for (const each of Object.keys(errorTable)) await expect(page.locator(`[id="${each}"]`)).toContainText("What to do:");
});

test("the reference shows the document, requests nothing from other hosts, and links back to the guides", async ({
  page,
  service,
}) => {
  const asked = strangers(page, service.url);
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await page.goto(`${service.url}${reference.href}`);
  await expect(page.getByRole("heading", { name: "Bonafide", level: 1 })).toBeVisible();
  await expect(page.getByText("Get who the token acts for").first()).toBeVisible();
  expect([asked, failures]).toEqual([[], []]);
  await page.getByRole("link", { name: "Guides", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Quick start" })).toBeVisible();
});
