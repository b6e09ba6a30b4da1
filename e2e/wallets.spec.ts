import { AppleAuthority } from "../server/wallets/apple/testing/authority";
import { readPass } from "../server/wallets/apple/testing/read-pass";
import { newOrganisation } from "./fixtures/organisation";
import { picture } from "./fixtures/picture";
import { expect, test } from "./fixtures/test";

test("an admin sets up Apple Wallet, a holder adds a pass on the phone, and a revocation voids it", async ({
  page,
  service,
}) => {
  const authority = await AppleAuthority.create();
  const issued = await authority.issue();
  const { api, enter } = await newOrganisation(service, "Wallet University");
  await enter(page);
  await page.goto("/settings/wallets");
  // A required field has an asterisk after its name, which some versions of Chromium announce.
  const fill = (name: string, value: string) =>
    page.getByRole("textbox", { name: new RegExp(`^${name}\\*?$`) }).fill(value);
  await fill("Certificate of the pass type", issued.certificate);
  await fill("Private key", (await authority.issue()).privateKey);
  await fill("Apple's intermediate certificate", authority.wwdr);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("is not the key of this certificate")).toBeVisible();
  await fill("Private key", issued.privateKey);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("pass.test.example.card").first()).toBeVisible();
  await expect(page.getByText("Certificate ends", { exact: true })).toBeVisible();
  await expect(page.getByText("Apple's own certificate ends", { exact: true })).toBeVisible();

  const template = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    design: { wallet: { apple: true } },
    publish: true,
  });
  const { id, code } = await api<{ id: string; code: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/c/${code}`);
  const link = page.getByRole("link", { name: "Add to Apple Wallet" });
  await expect(link).toBeVisible();
  await picture(page, "on a phone");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe(`${code}.pkpass`);
  const answer = await page.request.get(`/public/credentials/${code}/wallet/apple`);
  const { pass } = await readPass(await answer.body(), authority);
  expect(pass).toMatchObject({ description: "Student card, Wallet University", barcodes: [{ altText: code }] });

  const registration = `/wallet/apple/v1/devices/a1b2c3d4/registrations/${pass["passTypeIdentifier"]}/${pass["serialNumber"]}`;
  const headers = { authorization: `ApplePass ${pass["authenticationToken"]}` };
  expect((await page.request.post(registration, { headers, data: { pushToken: "0123456789abcdef" } })).status()).toBe(
    201,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/credentials/${id}`);
  const channel = page.getByRole("listitem").filter({ hasText: "Apple Wallet" });
  await expect(channel.getByText("On the phone")).toBeVisible();

  await api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left the university" });
  await page.goto(`/c/${code}`);
  await expect(page.getByRole("link", { name: "Add to Apple Wallet" })).toHaveCount(0);
  await picture(page, "revoked");
  const passPath = `/wallet/apple/v1/passes/${pass["passTypeIdentifier"]}/${pass["serialNumber"]}`;
  const latest = await page.request.get(passPath, { headers });
  const voided = (await readPass(await latest.body(), authority)).pass;
  expect(voided).toMatchObject({ voided: true, serialNumber: pass["serialNumber"] });
  expect(voided).not.toHaveProperty("barcodes");
  await expect
    .poll(async () => {
      const list = await page.request.get(registration.slice(0, registration.lastIndexOf("/")));
      return list.status() === 200 && (await list.json()).serialNumbers;
    })
    .toEqual([pass["serialNumber"]]);
  await authority.close();
});

test("an admin sets up Google Wallet, a holder adds a pass, and a revocation ends it at Google", async ({
  page,
  service,
  google,
}) => {
  const { issuerId, serviceAccount } = google.account();
  const other = google.account();
  const { api, enter } = await newOrganisation(service, "Android University");
  await enter(page);
  await page.goto("/settings/wallets");
  const fill = (name: string, value: string) =>
    page.getByRole("textbox", { name: new RegExp(`^${name}\\*?$`) }).fill(value);
  const save = page.getByRole("button", { name: "Check and save" });
  await fill("Issuer ID", other.issuerId);
  await page
    .getByLabel("Key of the service account: file")
    .setInputFiles({ name: "key.json", mimeType: "application/json", buffer: Buffer.from(serviceAccount) });
  await expect(page.getByRole("textbox", { name: /^Key of the service account/ })).toHaveValue("key.json");
  await save.click();
  await expect(page.getByText("invite this address under Users with the access level Developer")).toBeVisible();
  await fill("Issuer ID", issuerId);
  // The error disappeared with the edit, so the button does not move when it is pressed.
  await save.click();
  await expect(page.getByText("Google accepted the key")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Replace the key of Google Wallet" })).toBeVisible();
  await expect(page.getByText("BEGIN PRIVATE KEY")).toHaveCount(0);

  const template = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    design: { wallet: { google: true } },
    publish: true,
  });
  const { id, code } = await api<{ id: string; code: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/c/${code}`);
  const link = page.getByRole("link", { name: "Add to Google Wallet" });
  await expect(link).toBeVisible();
  await expect(page.getByRole("link", { name: "Add to Apple Wallet" })).toHaveCount(0);
  const answer = await page.request.get((await link.getAttribute("href"))!, { maxRedirects: 0 });
  expect([answer.status(), answer.headers()["location"]]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/),
  ]);
  const pass = () => [...google.objects.values()].find((each) => String(each["id"]).startsWith(`${issuerId}.`))!;
  expect(pass()).toMatchObject({ state: "ACTIVE", barcode: { type: "QR_CODE", alternateText: code } });

  const callback = google.signer.callback(String(pass()["id"]), "save");
  expect((await page.request.post("/wallet/google/v1/callback", { data: callback })).status()).toBe(200);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/credentials/${id}`);
  const channel = page.getByRole("listitem").filter({ hasText: "Google Wallet" });
  await expect(channel.getByText("On the phone")).toBeVisible();

  await api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left the university" });
  await expect.poll(() => pass()["state"]).toBe("EXPIRED");
  await expect
    .poll(() => pass()["messages"])
    .toEqual([{ header: "Student card", body: "Revoked: Left the university", messageType: "TEXT_AND_NOTIFY" }]);
  expect(pass()).not.toHaveProperty("barcode");
  await page.goto(`/c/${code}`);
  await expect(page.getByRole("link", { name: "Add to Google Wallet" })).toHaveCount(0);

  await page.goto("/settings/wallets");
  await page.getByRole("button", { name: "Remove Google Wallet" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("Google Wallet is no longer set up")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Set up Google Wallet" })).toBeVisible();
});
