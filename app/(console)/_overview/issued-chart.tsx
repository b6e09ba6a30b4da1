"use client";
import { Skeleton } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { useRegion } from "@/components/ui/region";
import type { RouterOutputs } from "@/server/trpc/root";
import { formatDay } from "@/server/core/dates";

type Day = RouterOutputs["credentials"]["daily"][number];

const format = new Intl.NumberFormat("en");
const sum = (days: Day[], of: "issued" | "suspended" | "revoked") => days.reduce((n, day) => n + day[of], 0);

/** What was issued on each of the last 30 days of the organisation's calendar. */
export function IssuedChart() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.credentials.daily.queryOptions({}, { refetchInterval: 60_000 }));
  return (
    <Panel title="Issued in the last 30 days" description={data && <Summary days={data} />}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Chart days={data} />
      ) : (
        <Skeleton className="h-52 rounded-lg" />
      )}
    </Panel>
  );
}

function Summary({ days }: { days: Day[] }) {
  return (
    <span className="tabular-nums">
      {format.format(sum(days, "issued"))} issued, {format.format(sum(days, "suspended"))} suspended,{" "}
      {format.format(sum(days, "revoked"))} revoked
    </span>
  );
}

const tick = { fill: "var(--muted)", fontSize: 11 };

function Chart({ days }: { days: Day[] }) {
  const region = useRegion();
  return (
    <>
      <div className="h-52" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" minWidth={0}>
          <BarChart
            data={days}
            margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
            barCategoryGap="22%"
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--separator)" />
            <XAxis
              dataKey="date"
              tickFormatter={(date: string) => formatDay(date, region, "short")}
              tick={tick}
              tickLine={false}
              axisLine={{ stroke: "var(--border)" }}
              interval="preserveEnd"
              minTickGap={40}
              tickMargin={8}
            />
            <YAxis
              width={36}
              allowDecimals={false}
              tick={tick}
              tickLine={false}
              axisLine={false}
              tickCount={4}
              tickFormatter={(n: number) => format.format(n)}
            />
            <Tooltip
              cursor={{ fill: "var(--default)" }}
              isAnimationActive={false}
              content={({ payload }) => <Hint day={payload?.[0]?.payload as Day | undefined} />}
            />
            <Bar
              dataKey="issued"
              fill="var(--accent)"
              radius={[3, 3, 0, 0]}
              maxBarSize={28}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      {/* A table is as wide as its text, even if the class sr-only sets one pixel. */}
      <div className="sr-only">
        <table>
          <caption>Credentials issued, suspended and revoked by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Issued</th>
              <th scope="col">Suspended</th>
              <th scope="col">Revoked</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{formatDay(day.date, region, "weekday")}</th>
                <td>{day.issued}</td>
                <td>{day.suspended}</td>
                <td>{day.revoked}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Hint({ day }: { day: Day | undefined }) {
  const region = useRegion();
  if (!day) return null;
  return (
    <div className="rounded-lg bg-overlay px-3 py-2 text-xs shadow-overlay">
      <p className="mb-1 font-medium">{formatDay(day.date, region, "weekday")}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-4 tabular-nums">
        {(
          [
            ["Issued", day.issued],
            ["Suspended", day.suspended],
            ["Revoked", day.revoked],
          ] as const
        ).map(([name, n]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{format.format(n)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
