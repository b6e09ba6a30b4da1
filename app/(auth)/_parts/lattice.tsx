import { SealStamp } from "@/components/logo";

const size = 56;
const center = 400;

/** Rosettes as engravers draw them on certificates: ellipses rotated around one centre. */
export function Lattice() {
  return (
    <div
      aria-hidden="true"
      className="relative hidden overflow-hidden bg-[oklch(0.3_0.06_230)] lg:block dark:border-l dark:bg-[oklch(0.19_0.025_230)]"
    >
      <svg
        viewBox="0 0 800 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full text-[oklch(0.78_0.08_215)]"
      >
        <g fill="none" stroke="currentColor">
          {Array.from({ length: size }, (_, i) => (
            <ellipse
              key={i}
              cx={center}
              cy={center}
              rx="330"
              ry="118"
              strokeWidth="0.7"
              opacity="0.42"
              transform={`rotate(${(i * 180) / size} ${center} ${center})`}
            />
          ))}
          {Array.from({ length: size / 2 }, (_, i) => (
            <ellipse
              key={i}
              cx={center}
              cy={center}
              rx="520"
              ry="300"
              strokeWidth="0.6"
              opacity="0.2"
              transform={`rotate(${(i * 360) / size} ${center} ${center})`}
            />
          ))}
        </g>
        <g transform="translate(346 346) scale(1.7)">
          <SealStamp fill="oklch(0.97 0.01 95)" stroke="oklch(0.36 0.075 230)" />
        </g>
      </svg>
    </div>
  );
}
