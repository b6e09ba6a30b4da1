import type { BarcodeDetector } from "barcode-detector/ponyfill";
import { reachService } from "./reach-service";

let detector: Promise<BarcodeDetector> | undefined;

/**
 * Loads the decoder (zxing as WebAssembly, 1 MB) at first use, from this service. Without an explicit address the
 * package would load it from a public CDN.
 */
export function openDetector(): Promise<BarcodeDetector> {
  detector ??= load().catch((error: unknown) => {
    detector = undefined;
    throw error;
  });
  return detector;
}

async function load(): Promise<BarcodeDetector> {
  await reachService();
  const { BarcodeDetector, prepareZXingModule } = await import("barcode-detector/ponyfill");
  const { default: wasm } = await import("zxing-wasm/reader/zxing_reader.wasm");
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true });
  return new BarcodeDetector({ formats: ["qr_code"] });
}
