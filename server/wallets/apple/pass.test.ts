import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "@/server/testing/events";
import { photoOf } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { AppleAuthority } from "./testing/authority";
import { cardDesign, holder } from "./testing/holder";
import { readPass } from "./testing/read-pass";
import { unzip } from "./testing/unzip";
import { stopSigning } from "./sign-pass";
import { stopDrawing } from "@/server/drawing/draw";

let authority: AppleAuthority;
beforeAll(async () => {
  authority = await AppleAuthority.create();
});
afterAll(async () => {
  await Promise.all([stopSigning(), stopDrawing()]);
  await authority.close();
});

const fieldsOf = (style: Record<string, { key: string; value: string }[]>) =>
  Object.fromEntries(
    Object.entries(style).map(([row, fields]) => [row, fields.map(({ key, value }) => `${key}=${value}`)]),
  );

describe("a pass for Apple Wallet", () => {
  it("shows the public fields of the card's back on its own back", async () => {
    const [department, library, salary] = cardDesign.front!.fields;
    const { download } = await holder(authority, {
      design: { ...cardDesign, front: { fields: [department!] }, back: { fields: [library!, salary!] } },
    });
    const { pass } = await readPass((await download()).bytes, authority);
    for (const style of ["generic", "posterGeneric"]) {
      const { backFields, ...rest } = fieldsOf(pass[style]);
      expect(backFields).toContain("field.library=12345678");
      expect(JSON.stringify(rest)).not.toContain("field.library");
    }
    expect(JSON.stringify(pass)).not.toContain("secret");
  });

  it("has words of ours in the organisation's language", async () => {
    const { download, token } = await holder(authority);
    await call("PATCH", "/v1/organisation", { token, body: { locale: "de-AT" } });
    const { pass } = await readPass((await download()).bytes, authority);
    const labels = pass["generic"].backFields.map(({ label, value }: { label: string; value: string }) => [
      label,
      value,
    ]);
    expect(labels).toEqual([
      ["Status", "Gültig"],
      ["Ausgestellt von", "Test Organisation"],
      ["Code", expect.any(String)],
      ["Prüfen", expect.any(String)],
    ]);
  });

  it("is signed by the organisation's certificate, and shows what the public page shows", async () => {
    const { download, credential, home } = await holder(authority);
    const answer = await download();
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      200,
      "application/vnd.apple.pkpass",
      `attachment; filename="${credential.code}.pkpass"`,
    ]);
    const { pass, files } = await readPass(answer.bytes, authority);
    expect(pass).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: "pass.test.example.card",
      teamIdentifier: "TEAM123456",
      organizationName: "Test Organisation",
      description: "Student card, Test Organisation",
      webServiceURL: expect.stringMatching(/\/wallet\/apple$/),
      authenticationToken: expect.stringMatching(/^[\w-]{32}$/),
      backgroundColor: "rgb(16, 32, 48)",
      labelColor: "rgb(255, 204, 0)",
      sharingProhibited: true,
      barcodes: [
        { format: "PKBarcodeFormatQR", message: credential.verifyUrl.toUpperCase(), altText: credential.code },
      ],
    });
    expect(pass).not.toHaveProperty("voided");
    expect(fieldsOf(pass["generic"])).toMatchObject({
      headerFields: [],
      primaryFields: ["holder=Ada Lovelace"],
      secondaryFields: ["field.department=Mathematics", "field.library=12345678"],
    });
    expect(fieldsOf(pass["posterGeneric"])).toMatchObject({
      headerFields: ["kind=Student card"],
      primaryFields: ["holder=Ada Lovelace", "field.department=Mathematics", "field.library=12345678"],
    });
    expect(JSON.stringify(pass)).not.toContain("secret");
    expect(files).toEqual(
      expect.arrayContaining(["icon.png", "icon@2x.png", "icon@3x.png", "artwork@2x.png", "artwork@3x.png"]),
    );
    expect((await eventsOf(home.orgId)).map(({ type }) => type)).toContain("credential.channel.provisioned");
  });

  it("has the logo, the picture and the photo of the card, in the pixels that Wallet asks for", async () => {
    const picture = async (width: number, height: number) => {
      const made = sharp({ create: { width, height, channels: 3, background: "#ff8800" } });
      return `data:image/webp;base64,${(await made.webp().toBuffer()).toString("base64")}`;
    };
    const portrait = { key: "portrait", binding: "subject.photo" };
    const { download, home, credential } = await holder(authority, {
      design: {
        ...cardDesign,
        logo: await picture(500, 100),
        front: { fields: [...cardDesign.front!.fields, portrait], background: await picture(300, 200) },
        publicFields: [...cardDesign.publicFields!, portrait.key],
      },
    });
    await photoOf(home.ctx, credential.subjectId, "#00aa00");
    const bytes = (await download()).bytes;
    const { pass } = await readPass(bytes, authority);
    // The logo takes the place of the issuer's name.
    expect(pass).not.toHaveProperty("logoText");
    const files = unzip(bytes);
    const shown = async (name: string) => {
      const { width, height } = await sharp(files[`${name}@3x.png`]!).metadata();
      const { dominant } = await sharp(files[`${name}@3x.png`]!).stats();
      return [width, height, dominant.g > dominant.r ? "photo" : "design"];
    };
    expect(await Promise.all(["logo", "primaryLogo", "artwork", "thumbnail"].map(shown))).toEqual([
      [480, 96, "design"],
      [378, 76, "design"],
      [1074, 1344, "design"],
      [203, 270, "photo"],
    ]);
  });

  it("is created and signed once, however often it is downloaded", async () => {
    const { download, home, channels } = await holder(authority);
    const [first, second, ...others] = await Promise.all([download(), download(), download()]);
    expect(Buffer.from(second!.bytes).equals(first!.bytes)).toBe(true);
    expect(others.map(({ status }) => status)).toEqual([200]);
    expect((await eventsOf(home.orgId)).filter(({ type }) => type.startsWith("credential.channel."))).toHaveLength(1);
    expect(await channels()).toMatchObject([{ type: "apple_wallet", address: "", status: "provisioned" }]);
  });

  it.each([
    ["code39", "12345678", "PKBarcodeFormatCode39", "12345678"],
    ["codabar", "12345678", "PKBarcodeFormatCodabar", "A12345678B"],
  ] as const)("has the %s barcode of the template first, then the QR code", async (format, _, wanted, message) => {
    const { download } = await holder(authority, {
      design: { ...cardDesign, wallet: { apple: true, barcode: { format, field: "library" } } },
    });
    const { pass } = await readPass((await download()).bytes, authority);
    expect(pass["barcodes"].map(({ format: is }: { format: string }) => is)).toEqual([wanted, "PKBarcodeFormatQR"]);
    expect(pass["barcodes"][0].message).toBe(message);
  });

  it("has only the QR code if the field's value does not fit the barcode format", async () => {
    const { download } = await holder(authority, {
      design: { ...cardDesign, wallet: { apple: true, barcode: { format: "codabar", field: "department" } } },
    });
    const { pass } = await readPass((await download()).bytes, authority);
    expect(pass["barcodes"]).toHaveLength(1);
  });

  it("does not show the holder's name if the template hides it from the public", async () => {
    const { download } = await holder(authority, { design: { ...cardDesign, publicName: false } });
    const { pass } = await readPass((await download()).bytes, authority);
    expect(JSON.stringify(pass)).not.toContain("Lovelace");
    expect(fieldsOf(pass["generic"])["primaryFields"]).toEqual(["holder=Student card"]);
  });

  it("is refused if the template does not offer it, the organisation has no certificate or the credential is not valid", async () => {
    const without = await holder(authority, { design: { ...cardDesign, wallet: {} } });
    expect((await without.download()).json()).toMatchObject({ status: 409, code: "wallet_not_offered" });
    expect((await without.post("channels", { type: "apple_wallet" })).json()["code"]).toBe("wallet_not_offered");
    const { download, token, post } = await holder(authority);
    await post("suspend", { reason: "Lost" });
    expect((await download()).json()).toMatchObject({ status: 409, code: "credential_state", state: "suspended" });
    expect((await post("channels", { type: "apple_wallet" })).json()["code"]).toBe("credential_state");
    await post("resume");
    expect((await download()).status).toBe(200);
    expect((await call("DELETE", "/v1/organisation/apple_wallet", { token })).status).toBe(204);
    expect((await download()).json()).toMatchObject({ status: 409, code: "wallet_not_configured" });
    expect((await post("channels", { type: "apple_wallet" })).json()["code"]).toBe("wallet_not_configured");
    expect((await call("GET", "/public/credentials/7K3M-Q9ZX-4T2B-8WNE/wallet/apple")).status).toBe(404);
  });

  it("can be created through the API, which returns the link to add it", async () => {
    const { post, credential, home } = await holder(authority);
    const [first, second] = [
      await post("channels", { type: "apple_wallet" }),
      await post("channels", { type: "apple_wallet" }),
    ];
    expect([first.status, first.json()]).toEqual([
      201,
      expect.objectContaining({
        object: "channel",
        type: "apple_wallet",
        status: "provisioned",
        url: expect.stringMatching(new RegExp(`/public/credentials/${credential.code}/wallet/apple$`)),
      }),
    ]);
    expect(second.json()).toEqual(first.json());
    expect((await eventsOf(home.orgId)).filter(({ type }) => type === "credential.channel.provisioned")).toHaveLength(
      1,
    );
    expect((await post("channels", { type: "email", to: "ada@example.edu" })).json()).toMatchObject({
      type: "email",
      url: null,
    });
    expect((await post("channels", { type: "apple_wallet", to: "ada@example.edu" })).status).toBe(400);
  });
});
