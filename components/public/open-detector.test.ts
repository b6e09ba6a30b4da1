import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ZXING_WASM_SHA256 } from "barcode-detector/ponyfill";
import { expect, it } from "vitest";

it("serves the wasm file that the scanner was built for", () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
  expect(createHash("sha256").update(wasm).digest("hex")).toBe(ZXING_WASM_SHA256);
});
