import AxeBuilder from "@axe-core/playwright";
import { expect, oneBrowser, test } from "./fixtures/test";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import type { Service } from "./fixtures/service";

interface Credential {
  code: string;
  id: string;
  verifyUrl: string;
}

let api: Organisation["api"];
let issue: (externalId: string) => Promise<Credential>;
let act: (credential: Credential, action: "suspend" | "revoke", reason: string) => Promise<void>;

test.beforeAll(async ({ service }: { service: Service }) => {
  ({ api } = await newOrganisation(service, "Northfield University"));
  const post = <T>(path: string, body: object) => api<T>("POST", path, body);
  const template = await post<{ id: string }>("/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
  });
  issue = (externalId) =>
    post<Credential>("/v1/credentials", {
      subject: { externalId, displayName: "Ada Lovelace" },
      templateId: template.id,
    });
  act = ({ id }, action, reason) => post(`/v1/credentials/${id}/${action}`, { reason });
});

test.describe("in a browser that asks for German", () => {
  test.use({ locale: "de-DE" });

  test("a credential and its check are in German, with and without scripts, including later content", async ({
    page,
  }) => {
    const credential = await issue("german");
    await page.goto(credential.verifyUrl);
    await expect(page.getByRole("heading", { name: "Gültig", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Link kopieren" })).toBeVisible();
    await expect(page.getByText(/^Geprüft (?:gerade eben|vor)/)).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await act(credential, "suspend", "Fees");
    await page.goto("/verify");
    await page.getByLabel("Code oder Link").fill(credential.code);
    await page.getByRole("button", { name: "Prüfen", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Ausgesetzt", exact: true })).toBeVisible();
    await expect(
      page.getByText(/^Dieser Nachweis ist seit dem \d+\. \p{L}+ \d{4} vom Aussteller ausgesetzt: Fees/u),
    ).toBeVisible();
    await expect(page.getByText("Zuletzt auf diesem Gerät geprüft")).toHaveCount(0);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a typed code or link gets its answer", async ({ page }) => {
    const credential = await issue("typed");
    await act(credential, "suspend", "Fees are overdue");
    for (const typed of [credential.code.toLowerCase().replaceAll("-", " "), credential.verifyUrl]) {
      await page.goto("/verify");
      await page.getByLabel("Code or link").fill(typed);
      await page.getByRole("button", { name: "Check" }).click();
      await expect(page.getByRole("heading", { name: "Suspended" })).toBeVisible();
      await expect(page.getByText("Fees are overdue")).toBeVisible();
    }
  });

  test("the page of a credential shows the credential with a QR code", async ({ page }) => {
    const { code, verifyUrl } = await issue("shown");
    await page.goto(verifyUrl);
    await expect(page.getByRole("heading", { name: "Valid" })).toBeVisible();
    await expect(page.getByText("Northfield University").first()).toBeVisible();
    await expect(page.getByText(code).filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  });

  test("a credential that its issuer revoked or suspended is not offered for sharing", async ({ page }) => {
    for (const action of ["suspend", "revoke"] as const) {
      const credential = await issue(`not-to-share-${action}`);
      await page.goto(credential.verifyUrl);
      await expect(page.getByRole("link", { name: "LinkedIn", exact: true })).toBeVisible();
      await act(credential, action, "Left the university");
      await page.reload();
      await expect(page.getByText("Left the university").first()).toBeVisible();
      await expect(page.getByRole("link", { name: "LinkedIn", exact: true })).toHaveCount(0);
    }
  });

  test("the page is dark on a dark system, and white on paper", async ({ page }) => {
    const { verifyUrl } = await issue("at-night");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(verifyUrl);
    const brightness = () =>
      page.evaluate(() => {
        const context = document.createElement("canvas").getContext("2d")!;
        context.fillStyle = getComputedStyle(document.body).backgroundColor;
        context.fillRect(0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data[0]!;
      });
    expect(await brightness()).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await brightness()).toBe(255);
  });

  test("an unknown code gets an explanation and the status 404", async ({ page }) => {
    for (const path of ["/c/0000-0000-0000-0000", "/c/nonsense", "/c/%E0%A4%A"]) {
      const answer = await page.goto(path);
      expect(answer!.status()).toBe(404);
      await expect(page.getByRole("heading", { name: "There is no credential with this code" })).toBeVisible();
    }
    await page.goto("/verify?code=0000-0000-0000-0000");
    await expect(page.getByRole("heading", { name: "There is no credential with this code" })).toBeVisible();
  });

  test("a credential has one canonical address, also for the capitals of a QR code", async ({ page, baseURL }) => {
    const { code, verifyUrl } = await issue("addressed");
    for (const path of [`/C/${code}`, `/c/${code.toLowerCase()}`, `/c/${code.replaceAll("-", "")}`]) {
      await page.goto(path);
      expect(page.url()).toBe(verifyUrl.replace(/^https?:\/\/[^/]+/, baseURL!));
    }
  });
});

test("a link to another site is never called valid", async ({ page }) => {
  const { code } = await issue("lured");
  await page.goto(`/verify?code=${encodeURIComponent(`https://elsewhere.example/c/${code}`)}`);
  await expect(page.getByRole("heading", { name: "This link leads somewhere else" })).toBeVisible();
  await expect(page.getByText("elsewhere.example").first()).toBeVisible();
});

test("the camera explains a foreign QR code, continues to scan, and is off when stopped", async ({
  page,
  showToCamera,
}) => {
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      Object.assign(window, { camera: stream.getTracks()[0] });
      return stream;
    };
  });
  const state = () => page.evaluate(() => (window as unknown as { camera: MediaStreamTrack }).camera.readyState);
  await showToCamera("https://elsewhere.example/");
  await page.goto("/verify");
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(page.getByText("This QR code leads to elsewhere.example")).toBeVisible();
  expect(await state()).toBe("live");
  await page.getByRole("button", { name: "Stop" }).click();
  expect(await state()).toBe("ended");
});

test("a picture, a code or a link works like the code itself, in every input", async ({ page }) => {
  const credential = await issue("pictured");
  await act(credential, "revoke", "Left the university");
  await page.goto(credential.verifyUrl);
  const picture = await page.getByRole("img", { name: /QR code/ }).screenshot();
  await page.goto("/verify");
  const choose = (buffer: Buffer, name = "picture.png", mimeType = "image/png") =>
    page.getByLabel("Choose a picture or file").setInputFiles({ name, mimeType, buffer });
  const isRevoked = async () => {
    await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
    await expect(page.getByText("Left the university")).toBeVisible();
  };
  const isNothing = async () => {
    await choose(Buffer.from("no picture at all"));
    await expect(page.getByRole("heading", { name: "This is not something that can be checked here" })).toBeVisible();
  };
  await isNothing();
  await choose(picture);
  await isRevoked();
  await isNothing();
  await choose(Buffer.from(`${credential.verifyUrl}\n`), "link.txt", "text/plain");
  await isRevoked();
  for (const text of [credential.code, credential.verifyUrl]) {
    await isNothing();
    await page.getByLabel("Paste its text").fill(text);
    await page.getByRole("button", { name: "Check the text" }).click();
    await isRevoked();
  }
});

test.describe("an answer is never older than it says", () => {
  test("Back shows the present state, from the page of a credential and from an answer", async ({ page }) => {
    const fromPage = await issue("back-from-page");
    await page.goto(fromPage.verifyUrl);
    await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Check another" }).click();
    await expect(page.getByRole("heading", { name: "Check a credential" })).toBeVisible();
    await act(fromPage, "revoke", "Left the university");
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();

    const fromAnswer = await issue("back-from-answer");
    await page.goto(`/verify?code=${fromAnswer.code}`);
    await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
    await page.getByRole("link", { name: "See the credential" }).click();
    await page.waitForURL(/\/c\//);
    await act(fromAnswer, "revoke", "Left the university");
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
  });

  test("an open page refreshes, and shows the age of its answer while it cannot", async ({ page, context }) => {
    const credential = await issue("left-open");
    await page.clock.install();
    await page.goto(credential.verifyUrl);
    await expect(page.getByText("Checked just now")).toBeVisible();
    await context.setOffline(true);
    await page.clock.fastForward("03:05");
    await expect(page.getByText("Checked 3 minutes ago")).toBeVisible();
    await expect(page.getByRole("heading", { name: /^Was valid at \d/ })).toBeVisible();
    await expect(page.getByText("It could not be checked again since: no connection.")).toBeVisible();
    await expect(page.getByText("This credential is valid at this moment.")).toHaveCount(0);
    await act(credential, "revoke", "Left the university");
    await context.setOffline(false);
    await page.clock.fastForward("01:05");
    await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
    await expect(page.getByText("Checked just now")).toBeVisible();
  });
});

test("a visible answer shows its age in seconds, and is refreshed well within a minute", async ({ page }) => {
  const { code, ...credential } = await issue("in-view");
  await page.clock.install();
  await page.goto(`/verify?code=${code}`);
  await expect(page.getByText("Checked just now")).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(page.getByText(/^Checked \d+ seconds ago/)).toBeVisible();
  await act({ code, ...credential }, "revoke", "Left the university");
  await page.clock.runFor(20_000);
  await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
  await expect(page.getByText("Now that it has ended, only the holder’s name is shown from the record.")).toBeVisible();
});

test("codes that are typed while the service does not answer are all kept, and survive a reload", async ({ page }) => {
  const [first, second] = [await issue("kept-1"), await issue("kept-2")];
  const answers = [503, 429];
  await page.route("**/public/verify", (route) => {
    const status = answers.shift();
    return status ? route.fulfill({ status, headers: { "retry-after": "2" } }) : route.continue();
  });
  await page.goto("/verify");
  const field = page.getByLabel("Code or link");
  await field.fill(first.code);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: /the service does not answer/ })).toBeVisible();
  await field.fill(second.code);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "This could not be checked: asked too often" })).toBeVisible();
  await expect(field).toHaveValue(second.code);
  const list = page.getByRole("region", { name: "Last checked on this device" }).getByRole("listitem");
  await expect(list).toHaveCount(2);
  for (const [at, { code }] of [second, first].entries()) await expect(list.nth(at)).toContainText(code);
  // Nobody says that the browser is online again, and nobody asks.
  for (const at of [0, 1]) await expect(list.nth(at)).toContainText(/Valid.*Ada Lovelace/);
  await expect(field).toHaveValue("");
  expect(new URL(page.url()).searchParams.get("code")).toBe(second.code.replaceAll("-", ""));
  await act(second, "revoke", "Left the university");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
  await expect(list).toHaveCount(2);
});

test("the name is next to the decision on the first screen of a phone", async ({ page }) => {
  const { verifyUrl } = await issue("first-screen");
  for (const [width, height] of [
    [360, 740],
    [390, 664],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(verifyUrl);
    await expect(page.locator("[data-holder]").getByText("Ada Lovelace")).toBeInViewport({ ratio: 1 });
  }
});

test("an answer does not count as a view of the credential's page", async ({ page }) => {
  const { code, id } = await issue("answered");
  await page.goto(`/verify?code=${code}`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "See the credential" }).hover();
  const told = async () =>
    (await api<{ data: { type: string }[] }>("GET", `/v1/events?resourceId=${id}`)).data.map(({ type }) => type);
  await expect.poll(told).toContain("credential.verified");
  expect(await told()).not.toContain("credential.viewed");
  await page.getByRole("link", { name: "See the credential" }).click();
  await expect.poll(told).toContain("credential.viewed");
});

test("the credential's own dates are shown whatever the design's fields are called", async ({ page }) => {
  const design = {
    front: {
      fields: [
        { key: "until", label: "Valid until", binding: "credential.data.until" },
        { key: "from", label: "Valid from", binding: "credential.data.from" },
      ],
    },
    publicFields: ["until", "from"],
  };
  const dated = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Dated card",
    kind: "membership",
    design,
    publish: true,
  });
  const { verifyUrl } = await api<Credential>("POST", "/v1/credentials", {
    subject: { externalId: "dated", displayName: "Ada Lovelace" },
    templateId: dated.id,
    validFrom: "2020-02-01T00:00:00Z",
    expiresAt: "2031-01-01T00:00:00Z",
    data: { until: "the end of time", from: "the beginning" },
  });
  await page.goto(verifyUrl);
  const fact = (name: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd");
  await expect(fact("Valid through")).toHaveText("31 December 2030");
  await expect(fact("Valid from").first()).toHaveText("1 February 2020");
  await expect(fact("Valid until")).toHaveText("the end of time");
});

test("a scan without a connection keeps the scanner and the code", async ({ page, context, showToCamera }) => {
  const { code, verifyUrl } = await issue("cut-off");
  await showToCamera(verifyUrl);
  await page.goto(`/verify?code=${code}`);
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  // The decoder is loaded when the first code was read; then the connection is cut.
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(page.getByRole("heading", { name: "This could not be checked: no connection" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeHidden();
  await expect(page.getByLabel("What the camera sees")).toBeVisible();
  await context.setOffline(false);
  await page
    .getByRole("button", { name: "Try again" })
    .or(page.getByRole("heading", { name: "Valid", exact: true }))
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(page.getByText("Last checked on this device")).toBeVisible();
});

test("a code that is typed offline is kept, and checked once there is a connection", async ({ page, context }) => {
  const { code } = await issue("typed-cut-off");
  await page.goto("/verify");
  const field = page.getByLabel("Code or link");
  await field.fill(code);
  await context.setOffline(true);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "This could not be checked: no connection" })).toBeVisible();
  await expect(page.getByText("The code that you typed is kept")).toBeVisible();
  await expect(field).toHaveValue(code);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByRole("heading", { name: "This could not be checked: no connection" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Valid/);
  await expect(field).toHaveValue("");

  await field.fill("not a code");
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "This is not a code" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeHidden();
  await expect(field).toHaveValue("not a code");
});

test("a foreign code replaces the answer before it", async ({ page, showToCamera }) => {
  const { code } = await issue("before-foreign");
  await showToCamera("https://elsewhere.example/");
  await page.goto(`/verify?code=${code}`);
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(page.getByText("This QR code leads to elsewhere.example")).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("heading", { name: "This link leads somewhere else" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeHidden();
  await expect(page).toHaveTitle(/Not a credential/);
  expect(new URL(page.url()).search).toBe("");
});

test("the QR code fills the screen when tapped, and Escape and Back close it", async ({ page }) => {
  const { code, verifyUrl } = await issue("large");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(verifyUrl);
  const small = page.getByRole("button", { name: /Show it large/ });
  await expect(small).toBeInViewport();
  const large = page.getByRole("dialog", { name: "QR code, full screen" });
  await small.click();
  await expect(large).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(large).toBeHidden();
  await small.click();
  await expect(large).toBeVisible();
  await page.goBack();
  await expect(large).toBeHidden();
  expect(page.url()).toContain(code);
  await page.getByRole("button", { name: "Copy code" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test("what is painted on a phone does not move when scripts run", oneBrowser, async ({ page }) => {
  const { code } = await issue("unmoved");
  await page.setViewportSize({ width: 412, height: 823 });
  await page.addInitScript(() => {
    const moved = { by: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.by += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  // Up to 0.1 is good (Core Web Vitals).
  for (const path of [`/c/${code}`, "/verify"]) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: /Keep on this device|Scan with the camera/ })).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => (window as unknown as { moved: { by: number } }).moved.by)).toBeLessThan(0.1);
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the public pages, ${colorScheme}`, oneBrowser, async ({ page }) => {
    const { code } = await issue(`axe-${colorScheme}`);
    await page.emulateMedia({ colorScheme });
    for (const path of [`/c/${code}`, "/verify", `/verify?code=${code}`]) {
      await page.goto(path);
      await expect(page.getByRole("button", { name: /Print|Scan with the camera/ })).toBeVisible();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
  });
}
