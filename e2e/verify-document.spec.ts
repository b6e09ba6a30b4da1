import AxeBuilder from "@axe-core/playwright";
import { bakePng } from "../server/standards/baking/png";
import { signJwt } from "../server/standards/jose/sign-jwt";
import { badge, keyIssuer } from "../server/standards/testing/issuer";
import { expect, test } from "./fixtures/test";

// One pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const issuer = keyIssuer();

test("the picture of another issuer's badge is checked, and a forged one is refused", async ({ page }) => {
  const jwt = await signJwt(badge(issuer.did, { validUntil: "2099-12-31T23:59:59Z" }), "vc", issuer);
  await page.goto("/verify");
  await page
    .getByLabel("Choose a picture or file")
    .setInputFiles({ name: "badge.png", mimeType: "image/png", buffer: bakePng(png, jwt) });
  await expect(page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Valid/);
  await expect(page.getByText("Signed by its issuer, and unchanged since.")).toBeVisible();
  await expect(page.getByText("Issuer, in its own words")).toBeVisible();
  await expect(page.getByText("Anyone can make such a key and give it any name")).toBeVisible();
  await expect(page.getByText("31 December 2099 at 23:59:59 UTC", { exact: true })).toBeVisible();
  await expect(page.getByText("Nobody confirms who the issuer is", { exact: true })).toBeVisible();
  await expect(page.getByText("anybody can sign in any name")).toBeVisible();
  await expect(page.getByRole("link", { name: "See the credential" })).toHaveCount(0);
  expect(
    (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
  ).toEqual([]);

  const [header, , signature] = jwt.split(".");
  const forged = `${header}.${Buffer.from(JSON.stringify(badge(issuer.did, { name: "Doctor of Science" }))).toString("base64url")}.${signature}`;
  await page.getByLabel("Paste its text").fill(forged);
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Not valid" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toHaveCount(0);
  await expect(page.getByText("Its signature does not fit")).toBeVisible();
  await expect(page.getByText("Doctor of Science")).toHaveCount(0);
});

test("an unsigned document is reported as such, with what to do", async ({ page }) => {
  await page.goto("/verify");
  await page.getByLabel("Paste its text").fill(JSON.stringify(badge(issuer.did, { name: "Doctor of Science" })));
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Not signed" })).toBeVisible();
  await expect(page.getByText("Anybody can have written it, so it proves nothing").first()).toBeVisible();
  await expect(page.getByText("Ask the holder for the signed file").first()).toBeVisible();
  await expect(page.getByText("Nobody signed it", { exact: true })).toBeVisible();
  await expect(page.getByText("Its signature does not fit")).toHaveCount(0);
  await expect(page.getByText("Doctor of Science")).toHaveCount(0);
});

test("a picture without a credential, and an unreachable issuer, are explained", async ({ page }) => {
  await page.goto("/verify");
  await page
    .getByLabel("Choose a picture or file")
    .setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: png });
  await expect(page.getByText("The picture holds no credential").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "This is not something that can be checked here" })).toBeVisible();
  await expect(page.getByText("There is no QR code to be seen in this picture either")).toBeVisible();
  await page.getByLabel("Paste its text").fill(
    await signJwt(badge("did:web:localhost%3A1"), "vc", {
      ...issuer,
      verificationMethod: "did:web:localhost%3A1#key-1",
    }),
  );
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Could not be checked" })).toBeVisible();
});

test("something that is not a credential is explained, and never called invalid", async ({ page }) => {
  await page.goto("/verify");
  const files: [name: string, text: string, words: RegExp][] = [
    ["paper.pdf", "%PDF-1.7\n", /attached to this PDF/],
    ["empty.json", "", /The file is empty/],
    ["old.json", '{"@context":"https://w3id.org/openbadges/v2","type":"Assertion"}', /Open Badge of version 2\.0/],
    ["wallet.txt", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln~WyJhIl0~", /SD-JWT/],
  ];
  for (const [name, text, words] of files) {
    await page
      .getByLabel("Choose a picture or file")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
    await expect(page.getByText(words).first()).toBeVisible();
    await expect(page.getByRole("heading", { name: "This is not something that can be checked here" })).toBeVisible();
  }
  await page
    .getByLabel("Choose a picture or file")
    .setInputFiles({ name: "IMG_0001.HEIC", mimeType: "image/heic", buffer: Buffer.from("ftypheic") });
  await expect(page.getByText("Save it as JPEG or PNG")).toBeVisible();
  // The remark on a picture disappears with the next read.
  await expect(page.getByText("There is no QR code to be seen")).toHaveCount(0);
});

test("a badge's token is checked in the field for codes too, with and without scripts", async ({ page, browser }) => {
  const jwt = await signJwt(badge(issuer.did), "vc", issuer);
  await page.goto("/verify");
  await page.getByLabel("Code or link").fill(jwt);
  await page.getByLabel("Code or link").press("Enter");
  await expect(page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toBeVisible();
  await expect(page.getByText("ada@example.edu")).toBeVisible();
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(new URL(`/verify?code=${jwt}`, page.url()).href);
  await expect(plain.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toBeVisible();
});

test("an issuer's long name without a space fits a phone, and is shown as unconfirmed, also after the end", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/verify");
  const credential = badge(issuer.did, {
    issuer: { id: issuer.did, type: ["Profile"], name: "W".repeat(2_000) },
    validUntil: "2026-02-01T00:00:00Z",
  });
  await page.getByLabel("Paste its text").fill(await signJwt(credential, "vc", issuer));
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Expired" })).toBeVisible();
  await expect(page.getByText("Nobody confirms who the issuer is", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("a file is kept while offline, and checked once there is a connection; an answered one is not sent again", async ({
  page,
  context,
}) => {
  const jwt = await signJwt(badge(issuer.did), "vc", issuer);
  await page.clock.install();
  await page.goto("/verify");
  await context.setOffline(true);
  await page
    .getByLabel("Choose a picture or file")
    .setInputFiles({ name: "badge.png", mimeType: "image/png", buffer: bakePng(png, jwt) });
  await expect(page.getByRole("heading", { name: "This could not be checked: no connection" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  // The first request fails although the browser says that it is online.
  let attempts = 0;
  await page.route("**/public/verify", (route) =>
    ++attempts === 1 ? route.abort("internetdisconnected") : route.continue(),
  );
  await context.setOffline(false);
  await expect(async () => {
    await page.clock.runFor(10_000);
    const valid = page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true });
    await expect(valid).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  expect(attempts).toBeGreaterThan(1);
  let sent = 0;
  page.on("request", (request) => request.url().endsWith("/public/verify") && sent++);
  await page.clock.runFor("03:00");
  await expect(page.getByText("Checked 3 minutes ago")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Was valid at \d/ })).toBeVisible();
  await expect(page).toHaveTitle(/^Was valid/);
  expect(sent).toBe(0);
  await page.clock.fastForward("24:00:00");
  await expect(page.getByRole("heading", { name: /^Was valid on \d.* at \d/ })).toBeVisible();
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Checked just now")).toBeVisible();
  await expect(page).toHaveTitle(/^Valid/);
  expect(sent).toBe(1);
});
