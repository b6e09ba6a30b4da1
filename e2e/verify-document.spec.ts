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

test("the picture of a badge from elsewhere is checked, and a forged one is refused", async ({ page }) => {
  const jwt = await signJwt(badge(issuer.did, { validUntil: "2099-12-31T23:59:59Z" }), "vc", issuer);
  await page.goto("/verify");
  await page
    .getByLabel("Choose a file")
    .setInputFiles({ name: "badge.png", mimeType: "image/png", buffer: bakePng(png, jwt) });
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Valid/);
  await expect(page.getByText("Signed by its issuer, and unchanged since.")).toBeVisible();
  await expect(page.getByText("Issuer, in its own words")).toBeVisible();
  await expect(page.getByText("Anyone can make such a key and give it any name")).toBeVisible();
  await expect(page.getByText("31 December 2099 at 23:59:59 UTC", { exact: true })).toBeVisible();
  await expect(page.getByText("Nobody confirms who the issuer is")).toBeVisible();
  await expect(page.getByRole("link", { name: "See the credential" })).toHaveCount(0);
  expect(
    (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
  ).toEqual([]);

  const [header, , signature] = jwt.split(".");
  const forged = `${header}.${Buffer.from(JSON.stringify(badge(issuer.did, { name: "Doctor of Science" }))).toString("base64url")}.${signature}`;
  await page.getByLabel("Or paste its text").fill(forged);
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Not valid" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toHaveCount(0);
});

test("a picture without a credential, and an issuer who cannot be reached, are told in words", async ({ page }) => {
  await page.goto("/verify");
  await page.getByLabel("Choose a file").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: png });
  await expect(page.getByText("The picture holds no credential").first()).toBeVisible();
  await page.getByLabel("Or paste its text").fill(
    await signJwt(badge("did:web:localhost%3A1"), "vc", {
      ...issuer,
      verificationMethod: "did:web:localhost%3A1#key-1",
    }),
  );
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.getByRole("heading", { name: "Could not be checked" })).toBeVisible();
});
