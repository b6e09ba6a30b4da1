import { decodeJwt, jwtVerify } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { formatCode, readCode } from "@/server/credentials/code";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { holderOf } from "../testing/holder";
import { googleDesign, googleHolder } from "./testing/holder";
import { textOf, refusal } from "./testing/objects";
import { standIn } from "./testing/stand-in";

beforeEach(async () => {
  const google = await standIn();
  google.instead = () => null;
  google.hold = undefined;
  google.received.length = 0;
});

const channelEvents = async (orgId: Parameters<typeof eventsOf>[0]) =>
  (await eventsOf(orgId)).map(({ type }) => type).filter((type) => type.startsWith("credential.channel."));

describe("the link Add to Google Wallet", () => {
  it("makes a pass with words of ours in the organisation's language", async () => {
    const { open, object, token } = await googleHolder();
    await call("PATCH", "/v1/organisation", { token, body: { locale: "de-AT" } });
    await open();
    const pass = object()!;
    expect(pass["textModulesData"].map(({ header }: { header: string }) => header)).toEqual([
      "Department",
      "Library card",
      "Ausgestellt von",
      "Code",
    ]);
    expect(pass["linksModuleData"].uris[0].description).toBe("Prüfen");
  });

  it("redirects to Google with a signed link to a pass that exists at Google already", async () => {
    const { open, google, email, object, issuerId, credential, home, channels } = await googleHolder();
    const answer = await open();
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([303, "no-store"]);
    const [, jwt] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/(.+)$/.exec(answer.headers.get("location")!)!;
    const { payload, protectedHeader } = await jwtVerify(jwt!, google.keyOf(email), {
      algorithms: ["RS256"],
      audience: "google",
      issuer: email,
    });
    const pass = object()!;
    expect(protectedHeader.kid).toMatch(/^\w{40}$/);
    expect(payload).toMatchObject({
      typ: "savetowallet",
      origins: ["http://localhost:3000"],
      payload: { genericObjects: [{ id: pass["id"], classId: pass["classId"] }] },
    });
    expect(google.classes.get(pass["classId"])).toMatchObject({
      multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES",
    });
    expect(pass["id"]).toMatch(new RegExp(`^${issuerId}\\.[\\w-]{24}$`));
    expect([textOf(pass["subheader"]), textOf(pass["header"])]).toEqual(["Student card", "Ada Lovelace"]);
    expect(pass).toMatchObject({
      state: "ACTIVE",
      hexBackgroundColor: "#102030",
      barcode: { type: "QR_CODE", alternateText: formatCode(readCode(credential.code)!) },
      linksModuleData: { uris: [{ uri: credential.verifyUrl }] },
    });
    expect(pass["textModulesData"].map(({ id, body }: { id: string; body: string }) => [id, body])).toEqual([
      ["front_1", "Mathematics"],
      ["front_2", "12345678"],
      ["issuer", expect.any(String)],
      ["code", credential.code],
    ]);
    expect(JSON.stringify(pass)).not.toContain("secret");
    expect(await channels()).toMatchObject([{ type: "google_wallet", status: "provisioned", address: "" }]);
    expect(await channelEvents(home.orgId)).toEqual(["credential.channel.provisioned"]);
  });

  it("creates one pass for concurrent calls, and later calls send no request to Google", async () => {
    const { open, google, home, issuerId } = await googleHolder();
    const answers = await Promise.all([open(), open(), open()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const named = new Set(
      answers.map(({ headers }) => {
        const jwt = headers.get("location")!.split("/save/")[1]!;
        return (decodeJwt(jwt)["payload"] as { genericObjects: { id: string }[] }).genericObjects[0]!.id;
      }),
    );
    expect(named.size).toBe(1);
    expect([...google.objects.keys()].filter((id) => id.startsWith(issuerId))).toHaveLength(1);
    google.received.length = 0;
    expect((await open()).status).toBe(303);
    expect(google.received).toEqual([]);
    expect(await channelEvents(home.orgId)).toEqual(["credential.channel.provisioned"]);
  });

  it("is returned only after Google accepted the pass; after a failure, the next call creates the pass", async () => {
    const { open, google, token, channels } = await googleHolder();
    google.instead = () => refusal(503, "UNAVAILABLE", "Try later.");
    const refused = await open();
    expect([refused.status, refused.json()["code"], refused.headers.get("location")]).toEqual([
      503,
      "unavailable",
      null,
    ]);
    expect(await channels()).toEqual([]);
    const settings = await call("GET", "/v1/organisation/google_wallet", { token });
    expect(settings.json()["problem"]).toBe("Google answered 503 UNAVAILABLE.");
    google.instead = () => null;
    expect((await open()).status).toBe(303);
    expect(await channels()).toHaveLength(1);
  });

  it("creates the class again if Google no longer has it", async () => {
    const { open, google, object } = await googleHolder();
    google.classes.clear();
    expect((await open()).status).toBe(303);
    expect(google.classes.has(object()!["classId"])).toBe(true);
  });

  it("uses a cached token, and requests a new one if Google revoked it", async () => {
    const { open, google, object } = await googleHolder();
    const { grants } = google;
    google.endTokens();
    expect((await open()).status).toBe(303);
    expect([object()!["state"], google.grants - grants]).toEqual(["ACTIVE", 1]);
  });

  it.each([
    ["code39", "library", { type: "CODE_39", value: "12345678" }],
    ["codabar", "library", { type: "CODABAR", value: "A12345678B" }],
    ["codabar", "department", { type: "QR_CODE" }],
  ] as const)(
    "puts the barcode %s of the field %s on the pass if the value fits the format",
    async (format, field, barcode) => {
      const { open, object } = await googleHolder({
        ...googleDesign,
        wallet: { google: true, barcode: { format, field } },
      });
      await open();
      expect(object()!["barcode"]).toMatchObject(barcode);
    },
  );

  it("does not show the holder's name if the template hides it from the public", async () => {
    const { open, object } = await googleHolder({ ...googleDesign, publicName: false });
    await open();
    expect(textOf(object()!["header"])).toBe("Student card");
    expect(JSON.stringify(object())).not.toContain("Lovelace");
  });

  it("is refused without settings, if the template does not offer it, and if the credential is not valid", async () => {
    const without = await holderOf(googleDesign);
    const path = (code: string) => `/public/credentials/${code}/wallet/google`;
    expect((await call("GET", path(without.credential.code))).json()).toMatchObject({
      status: 409,
      code: "wallet_not_configured",
    });
    const channel = await call("POST", `/v1/credentials/${without.credential.id}/channels`, {
      token: without.token,
      body: { type: "google_wallet" },
    });
    expect(channel.json()).toMatchObject({ status: 409, code: "wallet_not_configured" });
    const notOffered = await googleHolder({ ...googleDesign, wallet: { apple: true } });
    expect((await notOffered.open()).json()).toMatchObject({ status: 409, code: "wallet_not_offered" });
    const revoked = await googleHolder();
    await revoked.post("revoke", { reason: "Left" });
    expect((await revoked.open()).json()).toMatchObject({ status: 409, code: "credential_state" });
    expect((await call("GET", path("2222-2222-2222-2222"))).status).toBe(404);
  });
});

describe("the channel google_wallet", () => {
  it("creates the pass and returns the same public link each time", async () => {
    const { token, credential, object, home } = await googleHolder();
    const add = () =>
      call("POST", `/v1/credentials/${credential.id}/channels`, { token, body: { type: "google_wallet" } });
    const [first, second] = [await add(), await add()];
    expect([first.status, first.json()]).toMatchObject([
      201,
      {
        type: "google_wallet",
        status: "provisioned",
        url: `http://localhost:3000/public/credentials/${credential.code}/wallet/google`,
      },
    ]);
    expect(second.json()["id"]).toBe(first.json()["id"]);
    expect(object()).toMatchObject({ state: "ACTIVE" });
    expect(await channelEvents(home.orgId)).toEqual(["credential.channel.provisioned"]);
  });
});

describe("the public page", () => {
  it("offers the wallets that the template offers and the organisation has set up", async () => {
    const { credential, post } = await googleHolder({ ...googleDesign, wallet: { apple: true, google: true } });
    const words = async () =>
      [...(await call("GET", `/c/${credential.code}`)).text.matchAll(/Add to (\w+) Wallet/g)].map(([, each]) => each);
    expect(await words()).toEqual(["Google"]);
    await post("suspend", { reason: "Fees" });
    expect(await words()).toEqual([]);
  });
});
