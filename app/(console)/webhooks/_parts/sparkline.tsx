import { Skeleton } from "@heroui/react";
import type { EndpointStatistics } from "@/server/webhooks/endpoints/statistics";

const width = 4;
const gap = 1.5;
const height = 24;

/** Draws the attempts in each of the last 24 hours: accepted ones and, on top, failed ones. */
export function Sparkline({ hours }: { hours: EndpointStatistics["hours"] | undefined }) {
  if (!hours) return <Skeleton className="h-6 w-33 rounded-md" />;
  const most = Math.max(1, ...hours.map((hour) => hour.succeeded + hour.failed));
  const share = (n: number) => (n === 0 ? 0 : Math.max(2, (n / most) * height));
  const total = hours.reduce((n, hour) => n + hour.succeeded + hour.failed, 0);
  const failed = hours.reduce((n, hour) => n + hour.failed, 0);
  const span = hours.length * (width + gap) - gap;
  return (
    <svg
      width={span}
      height={height}
      viewBox={`0 0 ${span} ${height}`}
      role="img"
      aria-label={`${total} attempts in 24 hours, ${failed} failed`}
    >
      {hours.map((hour, i) => {
        const ok = share(hour.succeeded);
        const bad = share(hour.failed);
        const x = i * (width + gap);
        return (
          <g key={hour.hour}>
            <rect x={x} y={height - 1} width={width} height={1} className="fill-border" />
            {ok > 0 && <rect x={x} y={height - ok} width={width} height={ok} rx={1} className="fill-accent" />}
            {bad > 0 && (
              <rect
                x={x}
                y={Math.max(0, height - ok - bad)}
                width={width}
                height={bad}
                rx={1}
                className="fill-danger"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
