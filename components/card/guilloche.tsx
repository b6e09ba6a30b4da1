/** Fine curves as on banknotes and certificates, in the accent of a card. Drawn once for each shape of card. */
export function Guilloche({ certificate }: { certificate: boolean }) {
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
        transform={certificate ? "translate(200 126) scale(2 1)" : "translate(356 34)"}
        dangerouslySetInnerHTML={certificate ? ofCertificates : ofCards}
      />
    </svg>
  );
}

const ellipses = (count: number, rx: number, ry: number) => ({
  __html: Array.from(
    { length: count },
    (_, i) => `<ellipse rx="${rx}" ry="${ry}" transform="rotate(${(i * 180) / count})"/>`,
  ).join(""),
});
// Stretched to twice the width, they leave an oval free in which the lines of a certificate fit.
const ofCertificates = ellipses(40, 210, 70);
const ofCards = ellipses(30, 260, 96);
