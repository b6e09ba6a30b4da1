import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

const password = "correct horse battery staple";

/** The code of an authenticator app, one time step later for each earlier use, because a code is accepted once. */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Account and organisation/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a person sets up an authenticator app and a passkey, and signs in with a code, a recovery code and the passkey", async ({
  page,
  service,
}) => {
  const authenticator = await page.context().newCDPSession(page);
  await authenticator.send("WebAuthn.enable");
  await authenticator.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const organisation = await newOrganisation(service, "Two Step University");
  await organisation.enter(page);
  const overview = page.getByRole("heading", { name: "Overview" });

  await page.goto("/settings/account");
  const email = (await page
    .getByText(/^owner-\w+@example\.edu$/)
    .first()
    .textContent())!;
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByLabel("Your password").fill("not my password");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = (await page.getByTitle(/^[A-Z2-7]{32}$/).getAttribute("title"))!;
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText(/This code is wrong/)).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 0));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByTestId("recovery-code")).toHaveCount(10);
  const codes = await page.getByTestId("recovery-code").allTextContents();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("bonafide-recovery-codes.txt");
  await page.getByText("I have kept them").click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("10 left")).toBeVisible();

  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Name").fill("Work laptop");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Work laptop")).toBeVisible();
  await page.goto("/members");
  await expect(page.getByRole("row", { name: /Olive Owner/ }).getByText("On", { exact: true })).toBeVisible();

  await signOut(page);
  await enterPassword(page, email);
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await page.goto("/members");
  await page.waitForURL(/\/sign-in\?next=%2Fmembers/);
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText(/This was not accepted/)).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();

  await signOut(page);
  await enterPassword(page, email);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(codes[0]!);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(overview).toBeVisible();

  await signOut(page);
  await enterPassword(page, email);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(overview).toBeVisible();

  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(overview).toBeVisible();
  await page.goto("/settings/account");
  await expect(page.getByText("9 left")).toBeVisible();
  await expect(page.getByText(/Passkey, added .* last used just now/)).toBeVisible();
});

test("an owner requires a second factor, and a colleague without one can do nothing else until it is set up", async ({
  page,
  service,
  browser,
}) => {
  const organisation = await newOrganisation(service, "Strict University");
  await organisation.enter(page);
  await page.goto("/settings");
  const setting = page.getByRole("switch", { name: /Everyone must use a second factor/ });
  await expect(page.getByText("1 of 1 member has none yet.")).toBeVisible();
  await setting.click({ force: true });
  await page.getByRole("button", { name: "Require it" }).click();
  await expect(page.getByText("Set up a second factor for your own account first.").first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();

  const colleague = await browser.newPage({ baseURL: service.url });
  await organisation.enter(colleague, "issuer");
  await page.goto("/settings/account");
  await setUpApp(page);
  await page.goto("/settings");
  await expect(page.getByText("1 of 2 members have none yet.")).toBeVisible();
  await setting.click({ force: true });
  await page.getByRole("button", { name: "Require it" }).click();
  await expect(setting).toBeChecked();

  await colleague.goto("/credentials");
  await expect(colleague.getByText("Set up a second factor")).toBeVisible();
  await expect(colleague.getByRole("navigation")).toBeHidden();
  await setUpApp(colleague, "Use an authenticator app");
  await expect(colleague.getByRole("heading", { name: "Credentials", level: 1 })).toBeVisible();
  await colleague.close();

  await setting.click({ force: true });
  await page.getByLabel("Your password").fill("not my password");
  await page.getByRole("button", { name: "Stop requiring it" }).click();
  await expect(page.getByText("this is not your password")).toBeVisible();
  await expect(setting).toBeChecked();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Stop requiring it" }).click();
  await expect(setting).not.toBeChecked();
});

async function setUpApp(page: Page, button = "Set up"): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = (await page.getByTitle(/^[A-Z2-7]{32}$/).getAttribute("title"))!;
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 0));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("I have kept them").click();
  await page.getByRole("button", { name: "Done" }).click();
}
