import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/test";

const owner = { name: "Olive Owner", email: "olive@example.edu", password: "correct horse battery staple" };

// The journey begins with the set-up link of an unused service.
test.use({ sharedBy: "credential-life" });

/** Every request of a page to a host other than ours. */
function watchForeignRequests(page: Page, ours: string): string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(ours)) foreign.push(request.url());
  });
  return foreign;
}

test("set-up, key, issue by API, signed webhooks, suspend, resume and revoke, and what the public sees", async ({
  page,
  service,
  listener,
  showToCamera,
  request,
  browser,
}) => {
  const foreign = watchForeignRequests(page, service.url);
  const open = (screen: string) =>
    page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: screen, exact: true }).click();
  const types = () => listener.received.map((event) => event.type);

  await test.step("the one-time link makes the first owner and organisation", async () => {
    await page.goto(service.setUpLink);
    await page.getByLabel("Organisation").fill("Harbour University");
    await page.getByLabel("Your name").fill(owner.name);
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Create organisation" }).click();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    const again = await browser.newPage();
    await again.goto(service.setUpLink);
    await expect(again.getByText(/already been used|no longer works|was used/i)).toBeVisible();
    await again.close();
  });

  let key = "";
  await test.step("an API key, shown once", async () => {
    await open("API keys");
    await page.getByRole("button", { name: "New API key" }).first().click();
    await page.getByLabel("Name").fill("Student system");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByText(/^svc_sk_live_[0-9A-Za-z]{42}$/);
    await expect(shown).toBeVisible();
    key = (await shown.textContent())!;
    await page.getByText("I have stored it").click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await expect(page.getByText("Student system")).toBeVisible();
    await expect(page.getByText(key)).toHaveCount(0);
  });

  const api = async (method: string, path: string, data?: unknown, headers: Record<string, string> = {}) => {
    const answer = await request.fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(data !== undefined && { data }),
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer;
  };

  let code = "";
  let verifyUrl = "";
  await test.step("a subject is upserted and a credential issued once by API, and the listener receives both signed", async () => {
    const endpoint = (await (
      await api("POST", "/v1/webhook_endpoints", {
        url: listener.url,
        description: "e2e",
        eventTypes: ["credential.*"],
      })
    ).json()) as { secret: string };
    listener.secret = endpoint.secret;
    const template = (await (
      await api("POST", "/v1/templates", { name: "Student ID", kind: "student_id", publish: true })
    ).json()) as { id: string };
    await api("PUT", "/v1/subjects", {
      externalId: "s-1001",
      displayName: "Ada Lovelace",
      email: "ada@example.edu",
      attributes: { programme: "Mathematics" },
    });
    const body = { subject: { externalId: "s-1001" }, templateId: template.id };
    const issue = () => api("POST", "/v1/credentials", body, { "idempotency-key": "enrolment-s-1001" });
    const [first, second] = [await issue(), await issue()];
    expect(second.headers()["idempotent-replayed"]).toBe("true");
    expect(await second.text()).toBe(await first.text());
    ({ code, verifyUrl } = (await first.json()) as { code: string; verifyUrl: string });
    await expect.poll(types).toEqual(["credential.created", "credential.issued"]);
    expect(listener.refused).toBe(0);
  });

  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const visitorForeign = watchForeignRequests(visitor, service.url);
  const scan = async () => {
    await showToCamera(verifyUrl.toUpperCase());
    await visitor.goto(`${service.url}/verify`);
    await visitor
      .getByRole("button", { name: /camera|scan/i })
      .first()
      .click();
  };

  await test.step("anyone sees that it is valid, on the public page and in a scan", async () => {
    await visitor.goto(verifyUrl);
    await expect(visitor.getByText("Ada Lovelace").first()).toBeVisible();
    await expect(visitor.getByRole("status").filter({ hasText: /valid/i }).first()).toBeVisible();
    await scan();
    await expect(visitor.getByRole("heading", { name: /valid/i })).toBeVisible();
  });

  const openCredential = async () => {
    await open("Credentials");
    await page
      .getByRole("link", { name: /Ada Lovelace/ })
      .first()
      .click();
    await expect(page.getByText(code).first()).toBeVisible();
  };

  await test.step("after the suspension in the console it is suspended everywhere at once", async () => {
    await openCredential();
    await page.getByRole("button", { name: "Suspend" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/public reason/i).fill("Fees are overdue");
    await dialog.getByRole("button", { name: /suspend/i }).click();
    await expect(dialog).toBeHidden();
    expect(((await (await request.get(`/public/credentials/${code}`)).json()) as { reason: string }).reason).toBe(
      "suspended",
    );
    await visitor.goto(verifyUrl);
    await expect(
      visitor
        .getByRole("status")
        .filter({ hasText: /suspended/i })
        .first(),
    ).toBeVisible();
    await expect.poll(types).toContain("credential.suspended");
  });

  await test.step("after it is resumed it is valid again", async () => {
    await page.getByRole("button", { name: "Resume" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /resume/i })
      .click();
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(((await (await request.get(`/public/credentials/${code}`)).json()) as { result: string }).result).toBe(
      "valid",
    );
    await expect.poll(types).toContain("credential.resumed");
  });

  await test.step("after the revocation, verification, page, scan, webhook and log show the reason", async () => {
    await page.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(/public/i).first()).toBeVisible();
    await dialog.getByLabel(/public reason/i).fill("Left the university");
    await dialog.getByRole("button", { name: /revoke/i }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Left the university").first()).toBeVisible();
    const verdict = (await (await request.get(`/public/credentials/${code}`)).json()) as {
      result: string;
      reason: string;
      credential: { revocationReason: string };
    };
    expect([verdict.result, verdict.reason, verdict.credential.revocationReason]).toEqual([
      "invalid",
      "revoked",
      "Left the university",
    ]);
    await visitor.goto(verifyUrl);
    await expect(
      visitor
        .getByRole("status")
        .filter({ hasText: /revoked/i })
        .first(),
    ).toBeVisible();
    await expect(visitor.getByText("Left the university").first()).toBeVisible();
    await scan();
    await expect(visitor.getByText("Left the university").first()).toBeVisible();
    await expect.poll(types).toContain("credential.revoked");
    const revoked = listener.received.find((event) => event.type === "credential.revoked")!;
    expect(revoked.data.object).toMatchObject({
      state: "revoked",
      revocationReason: "Left the university",
      externalId: "s-1001",
    });
    const log = (await (await api("GET", "/v1/events?after=0&limit=100")).json()) as {
      data: { sequence: number; type: string }[];
    };
    expect(log.data.map((event) => event.sequence)).toEqual(log.data.map((_, i) => i + 1));
    expect(log.data.map((event) => event.type)).toEqual(expect.arrayContaining(["subject.created", ...types()]));
  });

  await visitor.close();
  expect(listener.refused).toBe(0);
  expect([...foreign, ...visitorForeign]).toEqual([]);
});
