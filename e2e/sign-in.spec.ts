import { test as base, type Page } from "@playwright/test";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { IdentityProvider } from "@/server/testing/identity-provider";
import { newOrganisation } from "./fixtures/organisation";
import { startService, type Service } from "./fixtures/service";

const { expect } = base;

interface Outside {
  mail: MailServer;
  provider: IdentityProvider;
  connected: Service;
}

/** A service with e-mail and an identity provider. */
const test = base.extend<object, { outside: Outside }>({
  outside: [
    async ({}, use) => {
      const [mail, provider] = [new MailServer(), new IdentityProvider()];
      const { SMTP_URL, MAIL_FROM } = await mail.listen();
      const connected = await startService(async (url) => ({
        SMTP_URL,
        MAIL_FROM,
        OIDC_NAME: "University account",
        ...(await provider.start(`${url}/api/sso/callback`)),
      }));
      await use({ mail, provider, connected });
      await connected.stop();
      await provider.close();
      await mail.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

const password = "correct horse battery staple";

/** The links to a page of the service in the mails to an address, oldest first. */
function linksTo(mail: MailServer, address: string, path: string): string[] {
  return mail.received
    .filter(({ to }) => to.includes(address))
    .flatMap(({ source }) => source.match(new RegExp(`https?://[^\\s"<>]+/${path}[?#][^\\s"<>]+`, "g")) ?? []);
}

/** The link that an action mails to an address. A later link invalidates the earlier one. */
async function mailedLink(mail: MailServer, address: string, path: string, act: () => Promise<void>): Promise<string> {
  const known = linksTo(mail, address, path).length;
  await act();
  await expect.poll(() => linksTo(mail, address, path).length).toBeGreaterThan(known);
  return linksTo(mail, address, path).at(-1)!;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Account and organisation/ }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
}

const overview = (page: Page) => page.getByRole("heading", { name: "Overview" });

test("a member is invited by e-mail, joins, uses single sign-on, and returns after a forgotten password", async ({
  page,
  browser,
  outside: { mail, provider, connected: service },
}) => {
  const organisation = await newOrganisation(service, "Mail University");
  await organisation.enter(page);
  const address = "grace@example.edu";

  await test.step("an invitation is sent by e-mail, and the list shows its state", async () => {
    mail.answer = (to) => (to === "nobody@example.edu" ? 550 : 0);
    await page.goto(`${service.url}/members`);
    for (const to of [address, "nobody@example.edu"]) {
      await page.getByRole("button", { name: "Invite member" }).click();
      const dialog = page.getByRole("dialog", { name: "Invite a member" });
      await dialog.getByLabel("E-mail").fill(to);
      await dialog.getByRole("button", { name: "Invite" }).click();
      await expect(dialog).toBeHidden();
    }
    const invitations = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Invitations" }) })
      .getByRole("listitem");
    await expect(invitations.filter({ hasText: address })).toContainText("Sent by e-mail");
    await expect(invitations.filter({ hasText: "nobody@" })).toContainText("Could not be sent");
    await page.getByRole("button", { name: "Actions for the invitation of nobody@example.edu" }).click();
    await page.getByRole("menuitem", { name: "Withdraw" }).click();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await expect(invitations.filter({ hasText: "nobody@" })).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
  });

  const context = await browser.newContext();
  const grace = await context.newPage();
  await test.step("the link in the e-mail lets her join", async () => {
    await grace.goto(linksTo(mail, address, "invite").at(-1)!);
    await expect(grace.getByRole("heading", { name: "Join Mail University" })).toBeVisible();
    await grace.getByLabel("Your name").fill("Grace Hopper");
    await grace.getByLabel("Password", { exact: true }).fill(password);
    await grace.getByRole("button", { name: "Join" }).click();
    await expect(overview(grace)).toBeVisible();
    await signOut(grace);
  });

  await test.step("single sign-on refuses a person without an account, with an explanation", async () => {
    provider.person = { sub: "stranger", email: "stranger@example.edu", email_verified: true };
    await grace.getByRole("button", { name: "Continue with University account" }).click();
    await expect(grace.getByText("There is no account for your e-mail address.")).toBeVisible();
  });

  await test.step("single sign-on works for her, and is shown under her account", async () => {
    await context.clearCookies();
    provider.person = { sub: "grace", email: address, email_verified: true, name: "Grace Hopper" };
    await grace.goto(`${service.url}/sign-in`);
    await grace.getByRole("button", { name: "Continue with University account" }).click();
    await expect(overview(grace)).toBeVisible();
    await grace.goto(`${service.url}/settings/account`);
    await expect(grace.getByRole("button", { name: "Disconnect" })).toBeVisible();
    await signOut(grace);
  });

  await test.step("a forgotten password is replaced by a link in an e-mail, which works once", async () => {
    await grace.getByRole("link", { name: "Forgot your password?" }).click();
    await grace.getByLabel("E-mail").fill(address);
    const link = await mailedLink(mail, address, "reset-password", () =>
      grace.getByRole("button", { name: "Send link" }).click(),
    );
    await expect(grace.getByRole("heading", { name: "Look into your mailbox" })).toBeVisible();
    await grace.goto(link);
    await grace.getByLabel("Password", { exact: true }).fill("another horse, another staple");
    await grace.getByRole("button", { name: "Save password" }).click();
    await expect(overview(grace)).toBeVisible();
    await grace.goto(link);
    await expect(grace.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
  });

  await test.step("a member who leaves has keys: the dialog names them and revokes them too", async () => {
    await page.goto(`${service.url}/members`);
    await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
    await page.getByRole("menuitem", { name: "Change role" }).click();
    await page.getByRole("radio", { name: /^Admin/ }).press("Space");
    await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
    await grace.goto(`${service.url}/keys`);
    await grace.getByRole("button", { name: "New API key" }).first().click();
    await grace.getByLabel("Name").fill("Door controller");
    await grace.getByRole("button", { name: "Create key" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove Grace Hopper?" });
    await expect(dialog).toContainText("Door controller");
    await expect(dialog).toContainText("not used yet");
    await dialog.getByText("Revoke it now.").click();
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await expect(page.getByText("Grace Hopper was removed")).toBeVisible();
    await expect(page.locator(":focus")).toBeVisible();
    await page.goto(`${service.url}/keys`);
    await expect(page.getByRole("row", { name: /Door controller/ })).toContainText("Revoked");
  });
  await context.close();
});

test("an address is verified by a link, and an unverified account is taken over by a mailed invitation", async ({
  page,
  browser,
  outside: { mail, connected: service },
}) => {
  const [first, second] = [
    await newOrganisation(service, "First College"),
    await newOrganisation(service, "Second College"),
  ];
  await first.enter(page);

  await test.step("the owner verifies the address", async () => {
    await page.goto(`${service.url}/settings/account`);
    // The note that it is not verified may already be shown.
    const shown = await page
      .getByText(/^owner-\w+@example\.edu/)
      .first()
      .textContent();
    const [address] = /^owner-\w+@example\.edu/.exec(shown!)!;
    await page.goto(
      await mailedLink(mail, address, "verify-email", () =>
        page.getByRole("button", { name: "Send a link to verify it" }).click(),
      ),
    );
    await expect(page.getByRole("button", { name: "This is my address" })).toBeVisible();
    await page.getByRole("button", { name: "This is my address" }).click();
    await expect(page.getByRole("heading", { name: "Your address is verified" })).toBeVisible();
  });

  await test.step("the invitation of another organisation takes over an account that somebody created with her address", async () => {
    const context = await browser.newContext();
    const squatter = await context.newPage();
    const address = "hedy@example.edu";
    const { url } = await service.admin<{ url: string }>([
      "user",
      "create",
      "--org",
      first.id,
      "--email",
      address,
      "--role",
      "viewer",
    ]);
    await squatter.goto(url);
    await squatter.getByLabel("Your name").fill("Somebody else");
    await squatter.getByLabel("Password", { exact: true }).fill("a password of somebody else");
    await squatter.getByRole("button", { name: "Join" }).click();
    await expect(overview(squatter)).toBeVisible();

    const owner = await (await browser.newContext()).newPage();
    await second.enter(owner);
    await owner.goto(`${service.url}/members`);
    await owner.getByRole("button", { name: "Invite member" }).click();
    await owner.getByLabel("E-mail").fill(address);
    const link = await mailedLink(mail, address, "invite", () =>
      owner.getByRole("button", { name: "Invite", exact: true }).click(),
    );

    const hedy = await (await browser.newContext()).newPage();
    await hedy.goto(link);
    await expect(hedy.getByText(`There is an account for ${address} already.`)).toBeVisible();
    await hedy.getByRole("button", { name: "I don't know this password" }).click();
    await hedy.getByLabel("Password", { exact: true }).fill("an actress and inventor of radio");
    await hedy.getByRole("button", { name: "Join" }).click();
    await expect(overview(hedy)).toBeVisible();
    // The page may already be leading to the sign-in page, because it notices the end of its session.
    await squatter.reload().catch(() => undefined);
    await expect(squatter.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  });
});
