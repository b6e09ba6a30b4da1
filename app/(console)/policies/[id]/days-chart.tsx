"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useRegion } from "@/components/ui/region";
import { formatDay } from "@/server/core/dates";
import type { RouterOutputs } from "@/server/trpc/root";
import { count, credentials } from "../words";

type Day = RouterOutputs["policies"]["days"]["days"][number];

const [width, height] = [600, 100];

/**
 * How many credentials the policy's runs have ended on each of the last 30 days, compared with today's limit; also as a
 * table.
 */
export function DaysChart({ policyId }: { policyId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.policies.days.queryOptions({ id: policyId }));
  if (!data) return null;
  const { days, limit } = data;
  if (days.every(({ runs }) => runs === 0)) return null;
  return (
    <figure className="space-y-2 border-b border-separator px-4 py-4 sm:px-5">
      <figcaption className="text-[0.8125rem] text-muted">{summaryOf(days, limit)}</figcaption>
      {days.some(({ ended, withheld }) => ended > 0 || withheld > 0) && <Bars days={days} limit={limit} />}
      <details>
        <summary className="cursor-pointer text-xs text-muted">As a table</summary>
        <DaysTable days={days.filter(({ runs }) => runs > 0).toReversed()} />
      </details>
    </figure>
  );
}

/** Solid bars count ended credentials. Outlined bars on top count those that waited for an approval. */
function Bars({ days, limit }: { days: Day[]; limit: number }) {
  const region = useRegion();
  const top = Math.max(1, limit, ...days.map(({ ended, withheld }) => ended + withheld)) * 1.1;
  const slot = width / days.length;
  const y = (n: number) => height - (n / top) * height;
  const bar = (index: number, n: number, from = 0) => ({
    x: index * slot + slot * 0.15,
    width: slot * 0.7,
    y: y(from + n),
    height: y(from) - y(from + n),
  });
  return (
    <div className="space-y-1" aria-hidden="true">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-24 w-full border-b"
        focusable="false"
      >
        {days.map((day, index) => (
          <g key={day.date}>
            {day.withheld > 0 && (
              <rect
                {...bar(index, day.withheld, day.ended)}
                style={{ fill: "var(--warning)", fillOpacity: 0.2, stroke: "var(--warning)" }}
                strokeDasharray="3 2"
                vectorEffect="non-scaling-stroke"
              />
            )}
            {day.ended > 0 && <rect {...bar(index, day.ended)} style={{ fill: "var(--muted)" }} />}
          </g>
        ))}
        <line
          x1={0}
          x2={width}
          y1={y(limit)}
          y2={y(limit)}
          style={{ stroke: "var(--foreground)" }}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="flex justify-between text-xs text-muted">
        <span>{formatDay(days[0]!.date, region, "short")}</span>
        <span>{formatDay(days.at(-1)!.date, region, "short")}</span>
      </div>
    </div>
  );
}

function DaysTable({ days }: { days: Day[] }) {
  const region = useRegion();
  const head = ["Day", "Runs", "Issued", "Ended", "Waited", "Failed"];
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-xs tabular-nums">
        <caption className="sr-only">What the runs of this policy did, by day</caption>
        <thead className="text-muted">
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" className={`py-1 font-normal ${index === 0 ? "text-left" : "text-right"}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date} className="border-t border-separator">
              <th scope="row" className="py-1 text-left font-normal">
                {formatDay(day.date, region, "weekday")}
              </th>
              {[day.runs, day.issued, day.ended, day.halted, day.failed].map((n, index) => (
                <td key={head[index + 1]} className="py-1 text-right">
                  {count(n)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function summaryOf(days: Day[], limit: number): string {
  const sum = (of: "runs" | "ended" | "halted") => days.reduce((n, day) => n + day[of], 0);
  const [runs, ended, halted] = [sum("runs"), sum("ended"), sum("halted")];
  const most = Math.max(...days.map(({ withheld }) => withheld));
  return [
    `In the last 30 days ${runs === 1 ? "1 run" : `${count(runs)} runs`} ended ${credentials(ended)}.`,
    halted === 1 &&
      `1 run was halted${most > 0 ? `: it would have ended ${credentials(most)}, the outlined bar` : ""}.`,
    halted > 1 &&
      `${count(halted)} runs were halted${most > 0 ? `: the largest would have ended ${credentials(most)}, the outlined bars` : ""}.`,
    `Today's limit is ${count(limit)}${ended > 0 || most > 0 ? ", the line" : ""}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
