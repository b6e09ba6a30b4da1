import { count } from "../words";

interface Props {
  limit: number;
  recent: number;
  affected: number;
}

/** Draws the limit of a policy: what was ended within 24 hours, what this run would end, and the limit. */
export function Radius({ limit, recent, affected }: Props) {
  const all = recent + affected;
  const scale = Math.max(limit, all, 1) * 1.1;
  const share = (n: number) => `${(n / scale) * 100}%`;
  const isOver = all > limit;
  const words = `${count(affected)} would be ended${recent > 0 ? `, after ${count(recent)} in the last 24 hours` : ""}. Up to ${count(limit)} within 24 hours need no approval.`;
  return (
    <figure className="space-y-1.5">
      <div className="relative h-3 overflow-hidden rounded-full bg-separator" aria-hidden="true">
        <div className="absolute inset-y-0 left-0 bg-muted" style={{ width: share(recent) }} />
        <div
          className={`absolute inset-y-0 ${isOver ? "bg-danger" : "bg-warning"}`}
          style={{ left: share(recent), width: share(affected) }}
        />
        <div className="absolute inset-y-0 w-0.5 bg-foreground" style={{ left: share(limit) }} />
      </div>
      <figcaption className="text-xs text-muted">{words}</figcaption>
    </figure>
  );
}
