import { expect, test } from "./fixtures/test";
import { newOrganisation } from "./fixtures/organisation";
import type { Service } from "./fixtures/service";

interface Credential {
  code: string;
  id: string;
  verifyUrl: string;
}

let issue: (externalId: string) => Promise<Credential>;
let act: (credential: Credential, action: "suspend" | "revoke", reason: string) => Promise<void>;

test.beforeAll(async ({ service }: { service: Service }) => {
  const { api } = await newOrganisation(service, "Northfield University");
  const post = <T>(path: string, body: object) => api<T>("POST", path, body);
  const template = await post<{ id: string }>("/v1/templates", { name: "Student card", kind: "student_id", publish: true });
  issue = (externalId) => post<Credential>("/v1/credentials", { subject: { externalId, displayName: "Ada Lovelace" }, templateId: template.id });
  act = ({ id }, action, reason) => post(`/v1/credentials/${id}/${action}`, { reason });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a code or a link that is typed gets its answer", async ({ page }) => {
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

  test("the page of a credential shows it, with a QR code", async ({ page }) => {
    const { code, verifyUrl } = await issue("shown");
    await page.goto(verifyUrl);
    await expect(page.getByRole("heading", { name: "Valid" })).toBeVisible();
    await expect(page.getByText("Northfield University").first()).toBeVisible();
    await expect(page.getByText(code).first()).toBeVisible();
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  });

  test("an unknown code is told, and answered with 404", async ({ page }) => {
    for (const path of ["/c/0000-0000-0000-0000", "/c/nonsense", "/c/%E0%A4%A"]) {
      const answer = await page.goto(path);
      expect(answer!.status()).toBe(404);
      await expect(page.getByRole("heading", { name: "There is no credential with this code" })).toBeVisible();
    }
    await page.goto("/verify?code=0000-0000-0000-0000");
    await expect(page.getByRole("heading", { name: "There is no credential with this code" })).toBeVisible();
  });

  test("a credential has one address, also for the capitals of a QR code", async ({ page, baseURL }) => {
    const { code, verifyUrl } = await issue("addressed");
    for (const path of [`/C/${code}`, `/c/${code.toLowerCase()}`, `/c/${code.replaceAll("-", "")}`]) {
      await page.goto(path);
      expect(page.url()).toBe(verifyUrl.replace(/^https?:\/\/[^/]+/, baseURL!));
    }
  });
});

test("a link to somewhere else is never called valid", async ({ page }) => {
  const { code } = await issue("lured");
  await page.goto(`/verify?code=${encodeURIComponent(`https://elsewhere.example/c/${code}`)}`);
  await expect(page.getByRole("heading", { name: "This link leads somewhere else" })).toBeVisible();
  await expect(page.getByText("elsewhere.example").first()).toBeVisible();
});

test("the camera says what a foreign QR code is, goes on looking, and is off when it is stopped", async ({ page, showToCamera }) => {
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

test("a picture of a QR code is as good as the code itself", async ({ page }) => {
  const credential = await issue("pictured");
  await act(credential, "revoke", "Left the university");
  await page.goto(credential.verifyUrl);
  const picture = await page.getByRole("img", { name: /QR code/ }).screenshot();
  await page.goto("/verify");
  const choose = (buffer: Buffer) => page.locator("input[type=file]").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer });
  await choose(Buffer.from("no picture at all"));
  await expect(page.getByText(/picture not be read/)).toBeVisible();
  await choose(picture);
  await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
  await expect(page.getByText("Left the university")).toBeVisible();
});
