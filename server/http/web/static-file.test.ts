import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { GET as getFont } from "@/app/docs/inter.woff2/route";
import { GET } from "@/app/docs/reference.js/route";
import { isApiPath } from "./api-path";

it("the reference's script and font are served without Next, which would compress them for each request", () => {
  expect(["/docs/reference.js", "/docs/reference.js?v=1", "/docs/inter.woff2"].map(isApiPath)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["/docs", "/docs/errors", "/docs/reference.json"].map(isApiPath)).toEqual([false, false, false]);
});

const get = (headers: Record<string, string> = {}) =>
  GET(new Request("http://localhost:3000/docs/reference.js", { headers }));
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

it("the reference viewer is sent compressed to clients that accept gzip, and with 304 to clients that have it", async () => {
  const plain = await get();
  expect([plain.status, plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([
    200,
    null,
    "accept-encoding",
  ]);
  const etag = plain.headers.get("etag")!;
  const zipped = await get({ "accept-encoding": "br, gzip;q=0.8" });
  expect([zipped.headers.get("content-encoding"), zipped.headers.get("etag")]).toEqual(["gzip", etag]);
  const [whole, compressed] = [await bytes(plain), await bytes(zipped)];
  expect(gunzipSync(compressed).equals(whole)).toBe(true);
  expect(compressed.length).toBeLessThan(whole.length / 2);
  expect((await get({ "accept-encoding": "gzip;q=0" })).headers.get("content-encoding")).toBeNull();
  for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
    const unchanged = await get({ "if-none-match": known });
    expect([known, unchanged.status, (await bytes(unchanged)).length, unchanged.headers.get("etag")]).toEqual([
      known,
      304,
      0,
      etag,
    ]);
  }
  expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
});

it("the reference's font is served from this host, as a font", async () => {
  const font = await getFont(new Request("http://localhost:3000/docs/inter.woff2"));
  expect([font.status, font.headers.get("content-type"), (await bytes(font)).subarray(0, 4).toString()]).toEqual([
    200,
    "font/woff2",
    "wOF2",
  ]);
});
