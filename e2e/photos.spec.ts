import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import sharp from "sharp";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/test";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import type { Service } from "./fixtures/service";
import { portrait } from "./fixtures/portrait";
import { zipOf } from "@/server/connectors/testing/archives";

let organisation: Organisation;
let templateId: string;

const photo = { key: "photo", label: "Photo", binding: "subject.photo" };
const programme = { key: "programme", label: "Programme", binding: "attributes.programme" };

test.beforeAll(async ({ service }: { service: Service }) => {
  organisation = await newOrganisation(service, "Northfield University");
  const design = { front: { fields: [photo, programme] }, publicFields: ["photo", "programme"], photoApproval: true };
  ({ id: templateId } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Student ID",
    kind: "student_id",
    design,
    publish: true,
  }));
});

async function holder(externalId: string, displayName: string) {
  const subject = { externalId, displayName, attributes: { programme: "Mathematics" } };
  return organisation.api<{ id: string; subjectId: string; verifyUrl: string }>("POST", "/v1/credentials", {
    subject,
    templateId,
  });
}

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator("input[type=file][aria-label=Photo]").setInputFiles({ name, mimeType, buffer });
const shownPhoto = (page: Page) => page.locator("[role=img] img[src*=photo], [role=img] img[src^='data:image/webp']");
const width = (page: Page) => shownPhoto(page).evaluate((image: HTMLImageElement) => image.naturalWidth);

test("a photo that is set in the console is approved, and shown on the card and its public page", async ({
  page,
  browser,
  service,
}) => {
  const { id, subjectId, verifyUrl } = await holder("s-1", "Ada Lovelace");
  await organisation.enter(page);
  await page.goto(`/subjects/${subjectId}`);
  const failure = page.locator("p[role=alert]");
  await choose(page, "letter.pdf", "application/pdf", Buffer.from("%PDF-1.7"));
  await expect(failure).toHaveText("“letter.pdf” is not a picture that can be used. Choose a JPEG, PNG or WebP.");
  await choose(page, "me.heic", "image/heic", Buffer.from("x"));
  await expect(failure).toContainText("HEIC");
  await choose(page, "large.png", "image/png", Buffer.alloc(11 * 1024 * 1024));
  await expect(failure).toHaveText("This picture has 11 MB. Choose one of at most 10 MB.");
  await choose(page, "broken.png", "image/png", Buffer.from("no picture"));
  await expect(failure).toContainText("may be damaged");

  await expect(page.getByText("at least 90 pixels wide and high")).toBeVisible();
  const strip = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#446688" } })
      .png()
      .toBuffer();
  await choose(page, "strip.png", "image/png", await strip(4000, 300));
  await expect(failure).toContainText("too wide: 4000 × 300 pixels; it may be at most 10 times as wide as high");
  await choose(page, "tiny.png", "image/png", await strip(80, 100));
  await expect(failure).toContainText("too narrow: 80 × 100 pixels; it must be at least 90 pixels wide");

  // Dropped from the desktop.
  const dropped = await page.evaluateHandle(
    (base64) => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], "ada.png", { type: "image/png" }),
      );
      return transfer;
    },
    (await portrait()).toString("base64"),
  );
  const zone = page.getByRole("group", { name: "Photo" });
  for (const type of ["dragover", "drop"]) await zone.dispatchEvent(type, { dataTransfer: dropped });
  await expect(page.getByText("Photo saved")).toBeVisible();
  await expect(failure).toBeHidden();
  await expect(zone.getByRole("img", { name: "Ada Lovelace" })).toBeVisible();
  await expect(page.getByText("Waiting for approval")).toBeVisible();
  await expect(page.getByText("You set this photo yourself.")).toBeVisible();

  await page.goto(`/credentials/${id}`);
  await expect(page.getByText("The photo of the holder waits for approval.")).toBeVisible();
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(verifyUrl);
  await expect(visitor.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(shownPhoto(visitor)).toHaveCount(0);

  await page.goto("/subjects");
  await page.getByRole("link", { name: "1 photo to approve" }).click();
  await expect(page.getByRole("heading", { name: "Photos to approve" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Ada Lovelace" })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // Another photo replaces it while the queue is open. The picture must never be the earlier one.
  const pictured = page.getByRole("img", { name: "Ada Lovelace" });
  const before = await pictured.getAttribute("src");
  const { key } = organisation;
  const replaced = await fetch(`${service.url}/v1/subjects/${subjectId}/photo`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "image/png" },
    body: new Uint8Array(await portrait("#993311")),
  });
  expect(replaced.status).toBe(200);
  await page.reload();
  await expect(page.getByText("Set by Student system")).toBeVisible();
  await expect(pictured).not.toHaveAttribute("src", before!);
  await page.getByRole("button", { name: "Approve the photo of Ada Lovelace" }).click();
  await expect(page.getByText("No photo waits for approval")).toBeVisible();
  await page.goto(`/credentials/${id}`);
  await expect.poll(() => width(page)).toBe(270);
  await visitor.reload();
  await expect.poll(() => width(visitor)).toBe(270);
  expect((await new AxeBuilder({ page: visitor }).analyze()).violations).toEqual([]);
  await visitor.close();
});

test("a rejected photo shows the reason, and another photo replaces it, on a phone", async ({ browser, service }) => {
  const { subjectId, verifyUrl } = await holder("s-2", "Charles Babbage");
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, baseURL: service.url });
  await organisation.enter(page, "issuer");
  await page.goto(`/subjects/${subjectId}`);
  await choose(page, "first.png", "image/png", await portrait("#884422"));
  await page.getByRole("button", { name: "Reject the photo of Charles Babbage" }).click();
  await page.getByLabel("What is wrong with it").fill("The face is not to be seen.");
  await page.getByRole("button", { name: "Reject photo" }).click();
  await expect(page.getByText("The face is not to be seen. No card shows this photo.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve the photo of Charles Babbage" })).toHaveText(
    "Approve after all",
  );
  await choose(page, "second.png", "image/png", await portrait("#228844"));
  await expect(page.getByText("Waiting for approval")).toBeVisible();
  await page.getByRole("button", { name: "Approve the photo of Charles Babbage" }).click();
  await expect(page.getByText("Waiting for approval")).toBeHidden();
  await page.goto(verifyUrl);
  await expect.poll(() => width(page)).toBe(270);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${service.url}/subjects/${subjectId}`);
  await page.getByRole("button", { name: "Remove photo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove photo" }).click();
  await expect(page.getByText("No photo yet.")).toBeVisible();
  await page.goto(verifyUrl);
  await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  await expect(shownPhoto(page)).toHaveCount(0);
  await page.close();
});

test("a decision on a photo that was replaced after it was shown is not stored, and the reason is kept", async ({
  page,
  service,
}) => {
  const { subjectId } = await holder("s-3", "Grace Hopper");
  await organisation.enter(page, "issuer");
  await page.goto(`/subjects/${subjectId}`);
  await choose(page, "first.png", "image/png", await portrait("#884422"));
  await expect(page.getByText("Waiting for approval")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${service.url}/subjects/${subjectId}`);

  await page.goto("/subjects/photos");
  await page.getByRole("button", { name: "Reject the photo of Grace Hopper" }).click();
  const reason = page.getByLabel("What is wrong with it");
  await expect(reason).toBeFocused();
  await reason.fill("The face is not to be seen.");
  const photo = page.getByRole("img", { name: "Grace Hopper" });
  const first = (await photo.getAttribute("src"))!;
  await choose(other, "second.png", "image/png", await portrait("#228844"));
  await expect(other.getByText("Photo saved")).toBeVisible();
  await page.getByRole("button", { name: "Reject photo" }).click();
  const told = page.getByRole("alert").filter({ hasText: "The photo was replaced meanwhile." });
  await expect(told).toContainText("Your reason is kept.");
  await expect(page.getByRole("main")).not.toContainText(/ETag|If-Match/);
  // Until the new photo is shown, a decision is still based on the first one.
  await expect(photo).not.toHaveAttribute("src", first);
  await page.getByRole("button", { name: "Reject the photo of Grace Hopper" }).click();
  await expect(reason).toHaveValue("The face is not to be seen.");
  await page.getByRole("button", { name: "Reject photo" }).click();
  await expect(page.getByText("No photo waits for approval")).toBeVisible();
  await other.close();
});

test("a photo that somebody else decided on meanwhile causes a question with who, what and why", async ({
  page,
  service,
}) => {
  const { subjectId } = await holder("s-4", "Alan Turing");
  const photoUpdatedAt = async () => {
    const answer = await fetch(`${service.url}/v1/subjects/${subjectId}/photo`, {
      method: "PUT",
      headers: { authorization: `Bearer ${organisation.key}`, "content-type": "image/png" },
      body: new Uint8Array(await portrait(`#${Math.random().toString(16).slice(2, 8).padEnd(6, "0")}`)),
    });
    return ((await answer.json()) as { photoUpdatedAt: string }).photoUpdatedAt;
  };
  const path = `/v1/subjects/${subjectId}/photo`;
  const current = () => organisation.api("GET", `/v1/subjects/${subjectId}`);
  const dialog = page.getByRole("dialog", { name: "Somebody decided on this photo meanwhile" });
  await organisation.enter(page, "issuer");

  await test.step("rejected by somebody else: approving says so, and the rejection can stay", async () => {
    const at = await photoUpdatedAt();
    await page.goto("/subjects/photos");
    const approve = page.getByRole("button", { name: "Approve the photo of Alan Turing" });
    await expect(approve).toBeVisible();
    await organisation.api("POST", `${path}/reject`, { photoUpdatedAt: at, reason: "Not a face" });
    await approve.click();
    await expect(dialog).toContainText("Student system rejected the photo of Alan Turing: “Not a face”");
    expect(await current()).toMatchObject({ photoStatus: "rejected", photoReason: "Not a face" });
    await dialog.getByRole("button", { name: "Leave it rejected" }).click();
    await expect(dialog).toBeHidden();
    expect(await current()).toMatchObject({ photoStatus: "rejected" });
  });

  await test.step("approved by somebody else: rejecting says so, and takes effect after a confirmation", async () => {
    const at = await photoUpdatedAt();
    await page.goto("/subjects/photos");
    await page.getByRole("button", { name: "Reject the photo of Alan Turing" }).click();
    await page.getByLabel("What is wrong with it").fill("Blurred");
    await organisation.api("POST", `${path}/approve`, { photoUpdatedAt: at });
    await page.getByRole("button", { name: "Reject photo" }).click();
    await expect(dialog).toContainText("Student system approved the photo of Alan Turing.");
    await expect(dialog).toContainText("Your rejection was not saved: “Blurred”");
    expect(await current()).toMatchObject({ photoStatus: "approved" });
    await dialog.getByRole("button", { name: "Reject after all" }).click();
    await expect(dialog).toBeHidden();
    expect(await current()).toMatchObject({ photoStatus: "rejected", photoReason: "Blurred" });
  });

  await test.step("approved by somebody else while a reason is typed: the dialog outlives the row", async () => {
    const at = await photoUpdatedAt();
    await page.goto("/subjects/photos");
    await page.getByRole("button", { name: "Reject the photo of Alan Turing" }).click();
    const reason = page.getByLabel("What is wrong with it");
    await reason.fill("Too dark");
    await organisation.api("POST", `${path}/approve`, { photoUpdatedAt: at });
    // When the window gets the focus back, the console reloads data that is older than a few seconds.
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await expect(page.getByText("No photo waits for approval")).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(reason).toHaveValue("Too dark");
    await page.getByRole("button", { name: "Reject photo" }).click();
    await expect(dialog).toContainText("Your rejection was not saved: “Too dark”");
    await dialog.getByRole("button", { name: "Leave it approved" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("removed by somebody else: approving says so although the row goes", async () => {
    await photoUpdatedAt();
    await page.goto("/subjects/photos");
    const approve = page.getByRole("button", { name: "Approve the photo of Alan Turing" });
    await expect(approve).toBeVisible();
    await fetch(service.url + path, { method: "DELETE", headers: { authorization: `Bearer ${organisation.key}` } });
    await approve.click();
    await expect(page.getByText("The photo of Alan Turing was removed meanwhile")).toBeVisible();
    await expect(page.getByText("No photo waits for approval")).toBeVisible();
  });

  await test.step("a discarded reason is gone", async () => {
    await photoUpdatedAt();
    await page.goto("/subjects/photos");
    const reject = page.getByRole("button", { name: "Reject the photo of Alan Turing" });
    const reason = page.getByLabel("What is wrong with it");
    await reject.click();
    await reason.fill("Taken from behind");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(reason).toBeHidden();
    await reject.click();
    await expect(reason).toHaveValue("");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Approve the photo of Alan Turing" }).click();
    await expect(page.getByText("No photo waits for approval")).toBeVisible();
  });
});

test("the editor adds a place for the photo to a design", async ({ page }) => {
  await organisation.enter(page, "admin");
  await page.goto("/templates/new");
  await page.getByRole("button", { name: "Add field" }).click();
  await page
    .getByRole("button", { name: /What .* shows/ })
    .last()
    .click();
  await page.getByRole("option", { name: "Photo", exact: true }).click();
  await expect(page.locator("[role=img] img[src^='data:image/svg']")).toBeVisible();
  await expect(page.getByRole("button", { name: /Which photos are shown/ })).toBeVisible();
});

test("a ZIP of photos is uploaded in the console, and rejected files are listed", async ({ page }) => {
  const { id, subjectId } = await holder("s-zip", "Grace Hopper");
  await organisation.enter(page);
  await page.goto("/subjects");
  await page.getByRole("link", { name: "Photos from a ZIP" }).click();
  await page.getByRole("button", { name: "Upload a ZIP" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Upload photos" });
  const archive = page.locator("input[type=file][aria-label='Choose a ZIP']");
  const zip = (name: string, buffer: Buffer) => ({ name, mimeType: "application/zip", buffer });
  await archive.setInputFiles(zip("list.zip", Buffer.from("no archive at all, but long enough")));
  await dialog.getByRole("button", { name: "Upload" }).click();
  await expect(dialog.getByRole("alert")).toContainText("damaged or incomplete");
  // Larger than the limit of the console's other requests.
  const large = {
    "s-zip.png": await portrait("#aa3366"),
    "nobody.jpg": await portrait(),
    "rest.bin": noise(12_000_000),
  };
  await archive.setInputFiles(zip("photos.zip", await zipOf(large, { compress: false })));
  await dialog.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "3 photos" })).toBeVisible();
  await expect(page.getByText("Partly rejected")).toBeVisible();
  const rejected = page.getByRole("table", { name: "Rejected files" });
  await expect(rejected.getByText("nobody.jpg")).toBeVisible();
  await expect(rejected.getByText("Nobody has this id.")).toBeVisible();
  await expect(rejected.getByText("cannot be read as a photo")).toBeVisible();
  // React Aria announces with elements that exist only for a moment and are not referenced afterwards.
  const axe = new AxeBuilder({ page }).exclude("[data-live-announcer]");
  expect((await axe.analyze()).violations).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toContain("rejected");
  await page.goto(`/subjects/${subjectId}`);
  await expect(page.getByRole("group", { name: "Photo" }).getByRole("img", { name: "Grace Hopper" })).toBeVisible();
  await expect(page.getByText("Waiting for approval")).toBeVisible();
  await page.goto(`/credentials/${id}`);
  await expect(page.getByText("The photo of the holder waits for approval.")).toBeVisible();
});

/** Random bytes, which do not compress. */
const noise = (size: number) => randomBytes(size);
