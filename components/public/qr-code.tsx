import { create } from "qrcode";

const quietZone = 4;

/**
 * A QR code as SVG, drawn on the server. Text of capitals, digits and $%*+-./: alone fits the alphanumeric mode and
 * gives a coarser code, which a poor camera reads from further away (ISO/IEC 18004, 7.4.4).
 */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * quietZone;
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      className={className}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path fill="#000" d={darkRuns(modules.data, modules.size)} />
    </svg>
  );
}

/** The dark modules of each row, run by run. */
function darkRuns(data: Uint8Array, size: number): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = x;
      while (x < size && data[y * size + x]) x++;
      if (x > from) path += `M${from + quietZone} ${y + quietZone}h${x - from}v1h${from - x}z`;
    }
  }
  return path;
}
