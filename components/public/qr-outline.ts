import { create } from "qrcode";
import { qrSegments } from "@/server/drawing/qr-segments";

interface Outline {
  /** The number of modules on a side, without the quiet zone. */
  size: number;
  /** The dark runs of each row, as lines that are one module wide. */
  path: string;
}

/**
 * A cache of the outlines that were drawn last. Finding the best mask takes twice as long as the rest of a page, an
 * open page refreshes every 15 seconds, and the picture depends only on the address.
 */
const drawn = new Map<string, Outline>();
/** Each has 1.5 kB. */
const kept = 4_000;

/** The modules of a QR code with error correction M. */
export function qrOutline(text: string): Outline {
  const known = drawn.get(text);
  if (known) return known;
  const { modules } = create(qrSegments(text), { errorCorrectionLevel: "M" });
  const outline = { size: modules.size, path: darkRuns(modules.data, modules.size) };
  if (drawn.size >= kept) drawn.delete(drawn.keys().next().value!);
  drawn.set(text, outline);
  return outline;
}

function darkRuns(data: Uint8Array, size: number): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    let end = 0;
    for (let x = 0; x < size; x++) {
      const from = x;
      while (x < size && data[y * size + x]) x++;
      if (x === from) continue;
      path += end === 0 ? `M${from} ${y}.5h${x - from}` : `m${from - end} 0h${x - from}`;
      end = x;
    }
  }
  return path;
}
