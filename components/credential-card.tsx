import { cardColors } from "./card-colors";
import { formatValue } from "./format-value";

export interface CardField {
  key: string;
  label: string;
  value: unknown;
  format?: "text" | "uppercase" | "date" | "datetime" | "number";
}

interface Props {
  title: string;
  issuer: string;
  /** Whose credential it is; null where that is not public. */
  holder: string | null;
  kind: string;
  /** What the design says of colours and images (server/templates/design.ts). */
  design?: {
    colors?: { background?: string | undefined; foreground?: string | undefined; accent?: string | undefined } | undefined;
    logo?: string | undefined;
    front?: { background?: string | undefined } | undefined;
  };
  fields?: CardField[];
  code?: string;
  /** A word across a card that is not valid, e.g. "Revoked". */
  stamp?: string | undefined;
  className?: string;
}

const kinds: Record<string, string> = { membership: "Membership", employee_id: "Employee ID", student_id: "Student ID", academic: "Credential" };

/**
 * A credential as a card in the format ID-1 (ISO/IEC 7810), which keeps its proportions at any width: all measures are
 * parts of the card's own width.
 */
export function CredentialCard({ title, issuer, holder, kind, design = {}, fields = [], code, stamp, className = "" }: Props) {
  const { background, foreground, accent } = cardColors(design.colors);
  const image = design.front?.background;
  const shown = fields.filter(({ value }) => value !== null && value !== undefined && value !== "").slice(0, 3);
  return (
    <div className={`@container w-full ${className}`}>
      <div
        className="relative isolate flex aspect-[1.586] flex-col overflow-hidden rounded-[4cqw] p-[6cqw] text-[3.4cqw] leading-tight shadow-[0_1px_2px_oklch(0.2_0.02_235/12%),0_12px_32px_-12px_oklch(0.2_0.02_235/35%)] print:shadow-none print:outline print:outline-black/20"
        style={{ background, color: foreground, printColorAdjust: "exact" }}
      >
        {image ? <img src={image} alt="" className="absolute inset-0 -z-10 size-full object-cover" /> : <Guilloche color={accent} />}
        <div className={`flex min-h-0 flex-1 flex-col ${stamp ? "opacity-45 grayscale" : ""}`}>
          <div className="flex items-center gap-[2.5cqw]">
            {design.logo && <img src={design.logo} alt="" className="max-h-[9cqw] max-w-[30cqw] object-contain" />}
            <span className="min-w-0 flex-1 truncate text-[3.8cqw] font-semibold">{issuer}</span>
            <span className="shrink-0 text-[2.6cqw] font-medium tracking-[0.12em] uppercase opacity-75">{kinds[kind] ?? kind}</span>
          </div>
          <div className="mt-auto">
            <div className="line-clamp-2 text-[3.8cqw] font-medium text-pretty opacity-85">{title}</div>
            {holder && <div className={`mt-[0.8cqw] line-clamp-2 font-semibold tracking-tight text-balance ${holder.length > 26 ? "text-[5.2cqw]" : "text-[7cqw]"}`}>{holder}</div>}
          </div>
          {(shown.length > 0 || code) && (
            <dl className="mt-[4cqw] flex items-end gap-[5cqw]">
              {shown.map(({ key, label, value, format }) => (
                <div key={key} className="min-w-0">
                  <dt className="truncate text-[2.5cqw] opacity-75">{label}</dt>
                  <dd className="mt-[0.4cqw] truncate text-[3.2cqw] font-medium">{formatValue(value, format)}</dd>
                </div>
              ))}
              {code && (
                <div className="ml-auto shrink-0 text-right">
                  <dt className="sr-only">Code</dt>
                  <dd className="font-mono text-[2.7cqw] tracking-wide opacity-85">{code}</dd>
                </div>
              )}
            </dl>
          )}
        </div>
        {stamp && (
          <div className="absolute inset-0 grid place-items-center" aria-hidden="true">
            <span className="-rotate-8 rounded-[1.4cqw] border-[0.7cqw] border-current px-[4cqw] py-[1.2cqw] text-[7cqw] font-bold tracking-[0.14em] uppercase">{stamp}</span>
          </div>
        )}
      </div>
    </div>
  );
}

/** Fine interlaced lines, as on banknotes: a card without an image of its own is not a blank rectangle. */
function Guilloche({ color }: { color: string }) {
  const waves = Array.from({ length: 14 }, (_, i) => {
    const y = 6 + i * 7;
    const swing = 16 - i * 0.6;
    return `M70 ${y}C95 ${y - swing} 115 ${y + swing} 140 ${y}S185 ${y - swing} 210 ${y}`;
  });
  return (
    <svg viewBox="0 0 160 101" preserveAspectRatio="xMaxYMid slice" className="absolute inset-0 -z-10 size-full" aria-hidden="true">
      <defs>
        <linearGradient id="card-fade">
          <stop offset="0.3" stopColor={color} stopOpacity="0" />
          <stop offset="1" stopColor={color} stopOpacity="0.28" />
        </linearGradient>
      </defs>
      <path d={waves.join("")} fill="none" stroke="url(#card-fade)" strokeWidth="0.5" />
      <circle cx="141" cy="16" r="34" fill={color} opacity="0.07" />
    </svg>
  );
}
