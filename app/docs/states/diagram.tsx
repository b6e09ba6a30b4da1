const box = "fill-surface stroke-border";
const word = "fill-foreground text-[13px] font-medium";
const label = "fill-muted text-[11.5px]";

function State({ x, y, name }: { x: number; y: number; name: string }) {
  return (
    <g>
      <rect x={x} y={y} width="112" height="40" rx="8" className={box} strokeWidth="1.25" />
      <text x={x + 56} y={y + 25} textAnchor="middle" className={word}>
        {name}
      </text>
    </g>
  );
}

/** Draws the transitions between states. The table below says the same in words. */
export function StateDiagram() {
  return (
    <figure
      tabIndex={0}
      aria-label="States and what leads from one to another"
      className="my-6 overflow-x-auto outline-none focus-visible:ring-2 focus-visible:ring-focus rounded-lg border bg-surface-secondary p-4"
    >
      <svg
        viewBox="0 0 640 250"
        className="mx-auto w-full max-w-[40rem] min-w-[30rem]"
        role="img"
        aria-label="Pending becomes active at validFrom. Active and suspended lead to each other by suspend and resume. Pending, active and suspended expire at expiresAt. Every state can be revoked."
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 8 4 0 8Z" className="fill-muted" />
          </marker>
        </defs>
        <g className="fill-none stroke-muted" strokeWidth="1.25" markerEnd="url(#arrow)">
          <path d="M128 60H238" />
          <path d="M354 52H504" />
          <path d="M508 68H358" />
          <path d="M296 84V176" />
          <path d="M72 84C72 160 150 196 236 197" />
          <path d="M564 84C564 160 470 196 356 197" />
        </g>
        <State x={16} y={40} name="pending" />
        <State x={240} y={40} name="active" />
        <State x={508} y={40} name="suspended" />
        <State x={240} y={178} name="expired" />
        <text x="183" y="52" textAnchor="middle" className={label}>
          validFrom
        </text>
        <text x="430" y="44" textAnchor="middle" className={label}>
          suspend
        </text>
        <text x="430" y="84" textAnchor="middle" className={label}>
          resume
        </text>
        <text x="304" y="134" className={label}>
          expiresAt
        </text>
        <text x="84" y="162" className={label} textAnchor="end">
          expiresAt
        </text>
        <text x="552" y="162" className={label}>
          expiresAt
        </text>
        <text x="296" y="242" textAnchor="middle" className={label}>
          revoke leads from each of them to revoked, for good
        </text>
      </svg>
    </figure>
  );
}
