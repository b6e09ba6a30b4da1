import type { Page } from "@playwright/test";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import { portrait } from "./fixtures/portrait";
import type { Service } from "./fixtures/service";
import { expect, test } from "./fixtures/test";

// The holder of a credential, wherever it is checked: on its page, in the answer of /verify and at the scanner.

interface Credential {
  id: string;
  code: string;
  subjectId: string;
  verifyUrl: string;
}

const photoField = { key: "photo", label: "Photo", binding: "subject.photo" };
const programme = { key: "programme", label: "Programme", binding: "attributes.programme" };

let organisation: Organisation;
let url: string;
let key: string;
let people = 0;

test.beforeAll(async ({ service }: { service: Service }) => {
  url = service.url;
  organisation = await newOrganisation(service, "Northfield University");
  ({ secret: key } = await service.admin<{ secret: string }>([
    "key",
    "create",
    "--org",
    organisation.id,
    "--name",
    "Photo booth",
  ]));
});

async function template(design: object): Promise<string> {
  const body = { name: "Student ID", kind: "student_id", publish: true, design };
  return (await organisation.api<{ id: string }>("POST", "/v1/templates", body)).id;
}

/** A credential of somebody with a photo. */
async function issue(displayName: string, templateId: string): Promise<Credential> {
  const subject = { externalId: `holder-${++people}`, displayName, attributes: { programme: "Mathematics" } };
  const credential = await organisation.api<Credential>("POST", "/v1/credentials", { subject, templateId });
  const answer = await fetch(`${url}/v1/subjects/${credential.subjectId}/photo`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "image/png" },
    body: new Uint8Array(await portrait()),
  });
  expect(answer.status).toBeLessThan(300);
  return credential;
}

const withPhoto = { front: { fields: [photoField, programme] }, publicFields: ["photo", "programme"] };
const holder = (page: Page) => page.locator("[data-holder]");
const photo = (page: Page) => holder(page).getByRole("img", { name: "Photo of the holder" });
const width = (page: Page) => photo(page).evaluate((image: HTMLImageElement) => image.naturalWidth);

/** Opens each place where a credential is checked, and looks there. */
async function whereverChecked(
  page: Page,
  { code, verifyUrl }: Credential,
  showToCamera: (text: string) => Promise<void>,
  look: () => Promise<void>,
): Promise<void> {
  await test.step("on its page", async () => {
    await page.goto(verifyUrl);
    await look();
  });
  await test.step("in the answer", async () => {
    await page.goto(`/verify?code=${code}`);
    await look();
  });
  await test.step("at the scanner", async () => {
    await showToCamera(verifyUrl);
    await page.goto("/verify");
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await expect(page.getByLabel("What the camera sees")).toBeVisible();
    await look();
  });
}

test("photo and name are shown wherever a credential is checked", async ({ page, showToCamera }) => {
  const credential = await issue("Ada Lovelace", await template(withPhoto));
  await whereverChecked(page, credential, showToCamera, async () => {
    await expect(holder(page).getByText("Ada Lovelace")).toBeVisible();
    await expect.poll(() => width(page)).toBe(270);
  });
});

for (const javaScriptEnabled of [true, false]) {
  test(`initials are shown if a photo does not load, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    browser,
    baseURL,
  }) => {
    const { code, verifyUrl } = await issue("Ada King Lovelace", await template(withPhoto));
    const page = await browser.newPage({ javaScriptEnabled, ...(baseURL && { baseURL }) });
    let asked = 0;
    await page.route(/\/photo\//, (route) => {
      asked++;
      return route.abort();
    });
    for (const path of [verifyUrl, `/verify?code=${code}`]) {
      asked = 0;
      await page.goto(path);
      await expect(holder(page).getByText("AL", { exact: true })).toBeVisible();
      await expect(holder(page).getByText("Ada King Lovelace")).toBeVisible();
      // Without scripts the picture stays, and must not cover the initials.
      await expect(photo(page)).toHaveCount(javaScriptEnabled ? 0 : 1);
      if (!javaScriptEnabled) await expect(photo(page)).toHaveCSS("color", "rgba(0, 0, 0, 0)");
      expect(asked).toBeGreaterThan(0);
    }
    await page.close();
  });
}

test("the page of an ended card whose holder's name changed shows neither name, but an explanation", async ({
  page,
  showToCamera,
}) => {
  const credential = await issue("Anna Alt", await template(withPhoto));
  await organisation.api("POST", `/v1/credentials/${credential.id}/revoke`, { reason: "Left the university" });
  await organisation.api("PATCH", `/v1/subjects/${credential.subjectId}`, { displayName: "Anna Neu" });
  await whereverChecked(page, credential, showToCamera, async () => {
    await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
    await expect(holder(page)).toContainText("No name is shown: the holder’s record has changed");
    await expect(photo(page)).toHaveCount(0);
    expect(await page.content()).not.toMatch(/Anna|Neu\b/);
  });
});

test("the console says that the card of an ended credential shows today's record", async ({ page }) => {
  const { id, subjectId } = await issue("Bela Alt", await template(withPhoto));
  await organisation.enter(page);
  await page.goto(`/credentials/${id}`);
  const card = page.getByRole("img", { name: /^Student ID, issued by/ });
  const note = page.getByText("This is how the holder is recorded today.");
  await expect(card).toContainText("Bela Alt");
  await expect(note).toBeHidden();
  await organisation.api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left the university" });
  await organisation.api("PATCH", `/v1/subjects/${subjectId}`, { displayName: "Bela Neu" });
  await page.reload();
  await expect(card).toContainText("Bela Neu");
  await expect(note).toBeVisible();
});

test("a template that hides the name from the public names nobody on any page", async ({ page, showToCamera }) => {
  const credential = await issue("Zenobia Quartz", await template({ ...withPhoto, publicName: false }));
  await whereverChecked(page, credential, showToCamera, async () => {
    await expect(page.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
    await expect(holder(page)).toContainText("The issuer does not make the holder’s name public.");
    await expect(photo(page)).toBeVisible();
    // Title, previews, descriptions of pictures and the scripts' data.
    expect(await page.content()).not.toContain("Zenobia");
  });
});

test("the template editor says what the public sees, and hides the name", async ({ page }) => {
  await organisation.enter(page, "admin");
  await page.goto("/templates/new");
  await expect(page.getByText("What the public sees")).toBeVisible();
  const name = page.getByRole("switch", { name: "Anyone may see the holder’s name" });
  await expect(name).toBeChecked();
  await page.getByText("Anyone may see the holder’s name").click();
  await expect(name).not.toBeChecked();
  await expect(page.getByText("Public pages and verifications name nobody.")).toBeVisible();
});

const longNames = {
  "without spaces": "Wolfeschlegelsteinhausenbergerdorff".repeat(3),
  "right to left": "عبدالرحمن بن محمد بن عبدالله بن سليمان ".repeat(3).trim(),
  "with emoji": "Ada 👩🏽‍🎓🎉 ".repeat(16).trim(),
};

for (const [kind, name] of Object.entries(longNames)) {
  test(`a long name ${kind} is never cut off, at any width`, async ({ page }) => {
    const { code, verifyUrl } = await issue(name, await template(withPhoto));
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of [verifyUrl, `/verify?code=${code}`]) {
        await page.goto(path);
        await expect(holder(page)).toContainText(name);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await cutOff(page, name)).toEqual([]);
      }
    }
  });
}

/** The places where text extends beyond a box that clips it. */
function cutOff(page: Page, text: string): Promise<string[]> {
  return page.evaluate((sought) => {
    const places = [...document.querySelectorAll("bdi")].filter((each) => each.textContent === sought);
    return places.flatMap((place) => {
      const range = document.createRange();
      range.selectNodeContents(place);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      for (let box = place.parentElement; box; box = box.parentElement) {
        const edge = box.getBoundingClientRect();
        const leaves = left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 2 || bottom > edge.bottom + 2;
        if (getComputedStyle(box).overflow !== "visible" && leaves) return [box.className];
      }
      return [];
    });
  }, text);
}
