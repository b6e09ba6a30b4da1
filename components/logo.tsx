import type { CSSProperties } from "react";

const seal =
  "M32 5.4Q40.59-.07 45.3 8.96 55.48 8.52 55.04 18.7 64.07 23.41 58.6 32 64.07 40.59 55.04 45.3 55.48 55.48 45.3 55.04 40.59 64.07 32 58.6 23.41 64.07 18.7 55.04 8.52 55.48 8.96 45.3-.07 40.59 5.4 32-.07 23.41 8.96 18.7 8.52 8.52 18.7 8.96 23.41-.07 32 5.4Z";
const check = "m21 33 8 8 15-17";

/** A seal with a check mark: the content is confirmed. */
export function Seal({ className = "size-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" className={className} aria-hidden="true">
      <path fill="var(--accent)" d={seal} />
      <path
        fill="none"
        stroke="var(--accent-foreground)"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d={check}
      />
    </svg>
  );
}

/**
 * Replaces the logo of an issuer without one: an outline of a seal in the text colour. It has a ring and no check mark,
 * which next to an unconfirmed name would look like a confirmation.
 */
export function IssuerMark({ className = "", style }: { className?: string; style?: CSSProperties }) {
  return (
    <svg
      viewBox="0 0 64 64"
      className={className}
      style={style}
      fill="none"
      stroke="currentColor"
      strokeWidth="4.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={seal} />
      <circle cx="32" cy="32" r="11" />
    </svg>
  );
}

/** The seal filled with the given colours. */
export function SealStamp({ fill, stroke }: { fill: string; stroke: string }) {
  return (
    <>
      <path fill={fill} d={seal} />
      <path fill="none" stroke={stroke} strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" d={check} />
    </>
  );
}

export function Wordmark({ className = "" }: { className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2 text-[0.9375rem] font-semibold tracking-tight ${className}`}>
      <Seal />
      Bonafide
    </span>
  );
}
