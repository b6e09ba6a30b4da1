import type { Page } from "@playwright/test";
import { bakePng } from "../server/standards/baking/png";
import { bakeSvg } from "../server/standards/baking/svg";
import { eddsaJcs2022 } from "../server/standards/data-integrity/eddsa-jcs-2022";
import { signDocument } from "../server/standards/data-integrity/sign-document";
import { signJwt } from "../server/standards/jose/sign-jwt";
import type { JsonObject } from "../server/standards/json";
import { badge, keyIssuer } from "../server/standards/testing/issuer";
import { expect, test } from "./fixtures/test";

// Credentials of another issuer, signed with a did:key of this file.

const issuer = keyIssuer();
const degree = badge(issuer.did, { validUntil: "2099-12-31T23:59:59Z" });
const forgedDegree = badge(issuer.did, { name: "Doctor of Science", validUntil: "2099-12-31T23:59:59Z" });
// One pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';

const signedJson = async (document: JsonObject) =>
  JSON.stringify(await signDocument(document, eddsaJcs2022, issuer, { created: new Date() }));
const signedToken = (document: JsonObject) => signJwt(document, "vc", issuer);
/** Another document with the proof or signature of the genuine one. */
const forgedJson = async () => JSON.stringify({ ...forgedDegree, proof: JSON.parse(await signedJson(degree)).proof });
const forgedToken = async () => {
  const [header, , signature] = (await signedToken(degree)).split(".");
  return `${header}.${Buffer.from(JSON.stringify(forgedDegree)).toString("base64url")}.${signature}`;
};

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel("Paste its text").fill(text);
  await page.getByRole("button", { name: "Check the text" }).click();
}

const upload = (name: string, mimeType: string) => (page: Page, content: string | Buffer) =>
  page.getByLabel("Choose a picture or file").setInputFiles({ name, mimeType, buffer: Buffer.from(content) });

type Form = [name: string, give: (page: Page, content: string) => Promise<void>, isToken: boolean];
const bakedPng = upload("badge.png", "image/png");
const bakedSvg = upload("badge.svg", "image/svg+xml");
const forms: Form[] = [
  ["pasted JSON", paste, false],
  ["a file of JSON", upload("degree.json", "application/json"), false],
  ["a pasted vc+jwt", paste, true],
  ["a file of vc+jwt", upload("degree.jwt", "application/vc+jwt"), true],
  ["a baked PNG with JSON", (page, text) => bakedPng(page, bakePng(png, text)), false],
  ["a baked PNG with a vc+jwt", (page, text) => bakedPng(page, bakePng(png, text)), true],
  ["a baked SVG with JSON", (page, text) => bakedSvg(page, bakeSvg(svg, text)), false],
];

/** Reads the list of checks, each as `outcome: words`. */
async function checksOn(page: Page): Promise<string[]> {
  const list = page.locator("details", { hasText: "What was checked" }).first();
  await expect(list).toBeVisible();
  if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
  return (await list.getByRole("listitem").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
}

/** The list of checks of a genuine credential. */
async function isGenuine(page: Page, isToken: boolean): Promise<void> {
  await expect(page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toBeVisible();
  await expect(page.getByText("Bachelor of Science").first()).toBeVisible();
  const checks = (await checksOn(page)).join("\n");
  for (const words of [
    isToken ? "Passed: A W3C verifiable credential as a signed token." : "Passed: A W3C verifiable credential.",
    `Passed: The issuer is ${issuer.did}. Its keys were found there.`,
    "Passed: Signed by its issuer, and unchanged since.",
    "Passed: Every term is one that its vocabularies define.",
    "Passed: Valid until 31 December 2099",
    "Not checked: The issuer does not publish whether this credential was revoked.",
  ])
    expect(checks).toContain(words);
  expect(checks).toMatch(/Not checked: .*Anyone can make such a key/);
}

async function isRefused(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Not valid" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid, issuer not confirmed", exact: true })).toHaveCount(0);
  const checks = (await checksOn(page)).join("\n");
  expect(checks).toContain("Failed: The signature does not fit the content: it was changed after it was signed");
  expect(checks).toContain("Not checked: Not looked at");
  // Unsigned content is not shown.
  await expect(page.getByText("Doctor of Science")).toHaveCount(0);
}

for (const [name, give, isToken] of forms) {
  test(`${name} of another issuer is checked step by step, and a forged one is refused`, async ({ page }) => {
    await page.goto("/verify");
    await give(page, await (isToken ? signedToken : signedJson)(degree));
    await isGenuine(page, isToken);
    await give(page, await (isToken ? forgedToken : forgedJson)());
    await isRefused(page);
  });
}

test("a vc+jwt in a QR code is checked by the camera, and a forged one is refused", async ({ page, showToCamera }) => {
  /** While the camera runs, the answer is brief. The full answer is shown after it is stopped. */
  const scan = async (text: string, heading: string) => {
    await showToCamera(text);
    await page.goto("/verify");
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await expect(page.getByLabel("What the camera sees")).toBeVisible();
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
  };
  await scan(await signedToken(degree), "Valid, issuer not confirmed");
  await isGenuine(page, true);
  await scan(await forgedToken(), "Not valid");
  await isRefused(page);
});
