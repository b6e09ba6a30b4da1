/** Fine curves as on banknotes and certificates, in the accent of a card. Drawn once for each shape of card. */
export function Guilloche({ certificate }: { certificate: boolean }) {
  const count = certificate ? 40 : 30;
  const [rx, ry] = certificate ? [210, 70] : [260, 96];
  return (
    <svg
      viewBox="0 0 400 252"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth="0.45"
        opacity={certificate ? 0.16 : 0.22}
        transform={certificate ? "translate(200 126)" : "translate(356 34)"}
      >
        {Array.from({ length: count }, (_, i) => (
          <ellipse key={i} rx={rx} ry={ry} transform={`rotate(${(i * 180) / count})`} />
        ))}
      </g>
    </svg>
  );
}
