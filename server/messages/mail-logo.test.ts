import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stopDrawing } from "@/server/drawing/draw";
import { sendMessages } from "@/server/notifications/send-messages";
import type { MailSettings } from "@/server/notifications/settings";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { ownDatabase } from "@/server/testing/own-database";
import { previewMessage } from "./preview";
import { withMessages } from "./testing/with-messages";

const server = new MailServer();
let settings: MailSettings;
let drop: () => Promise<void>;
beforeAll(async () => {
  // Messages of other tests would be sent first, for up to ten seconds.
  drop = await ownDatabase();
  settings = await server.start();
});
afterAll(async () => {
  await server.close();
  await stopDrawing();
  await drop();
});

/** A logo as the designer stores it in most browsers: WebP, larger than a mail shows it. */
async function webp(): Promise<string> {
  const picture = sharp({ create: { width: 600, height: 200, channels: 4, background: "#ff880080" } });
  return `data:image/webp;base64,${(await picture.webp().toBuffer()).toString("base64")}`;
}

async function withLogo(logo: string) {
  const made = await withMessages(["issued"]);
  const version = { design: { logo, colors: { background: "#16324f" } } };
  const answer = await made.request("POST", `/v1/templates/${made.template.id}/versions`, {
    ...version,
    publish: true,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return made;
}

/** The pictures that are attached to the newest message to an address. */
function attachedTo(address: string): Buffer[] {
  const { source } = server.received.filter(({ to }) => to.includes(address)).at(-1)!;
  const parts = source.split(/^--.*$/m).filter((part) => /^Content-Type: image\/png/im.test(part));
  expect(parts.every((part) => /^Content-Id: <logo>/im.test(part))).toBe(true);
  return parts.map((part) => Buffer.from(part.slice(part.search(/\r?\n\r?\n/)).replaceAll(/\s/g, ""), "base64"));
}

it("a message has the template's logo as a small PNG on the card's background, whatever format it was stored in", async () => {
  const { issue, home, template } = await withLogo(await webp());
  await issue({ email: "logo@example.edu" });
  await sendMessages(settings, () => new Date());
  const [picture, ...more] = attachedTo("logo@example.edu");
  expect(more).toEqual([]);
  expect(await sharp(picture!).metadata()).toMatchObject({ format: "png", width: 240, height: 80, hasAlpha: true });
  const { html } = await previewMessage(home.ctx, { id: template.id, kind: "issued" });
  expect(html).toMatch(
    /background:#16324f"><img src="data:image\/png;base64,[^"]+" alt="" width="120" height="40" style="display:block"><\/div>/,
  );
});

it("a message whose logo cannot be read is sent without it", async () => {
  const { issue } = await withLogo(`data:image/webp;base64,${Buffer.from("no picture").toString("base64")}`);
  await issue({ email: "none@example.edu" });
  await sendMessages(settings, () => new Date());
  expect(server.subjectsTo("none@example.edu")).toHaveLength(1);
  expect(attachedTo("none@example.edu")).toEqual([]);
});
