import { qrOutline } from "./qr-outline";

const quietZone = 4;

/**
 * A QR code as SVG, drawn on the server. Text of capitals, digits and $%*+-./: alone fits the alphanumeric mode and
 * gives a coarser code, which a poor camera reads from further away (ISO/IEC 18004, 7.4.4).
 */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { size, path } = qrOutline(text);
  const side = size + 2 * quietZone;
  return (
    <svg
      viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}
      className={className}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-quietZone} y={-quietZone} width={side} height={side} fill="#fff" />
      <path stroke="#000" d={path} />
    </svg>
  );
}
