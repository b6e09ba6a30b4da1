import { Skeleton } from "@heroui/react";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { credentialStates, type CredentialState } from "@/server/credentials/states";
import type { RouterOutputs } from "@/server/trpc/root";

const looks: Record<CredentialState, { label: string; tone: string }> = {
  active: { label: "Active", tone: "bg-success" },
  pending: { label: "Pending", tone: "bg-accent" },
  suspended: { label: "Suspended", tone: "bg-warning" },
  expired: { label: "Expired", tone: "bg-muted" },
  revoked: { label: "Revoked", tone: "bg-danger" },
};
/** The most important state first. */
const order = (Object.keys(looks) as CredentialState[]).filter((state) => credentialStates.includes(state));
const format = new Intl.NumberFormat("en");

interface Props {
  query: { data: RouterOutputs["credentials"]["counts"] | undefined; error: unknown; refetch(): unknown };
}

/** How many credentials are in each state now, and the share of all credentials that this is. */
export function StateCounts({ query: { data, error, refetch } }: Props) {
  if (error && !data)
    return (
      <section className="rounded-xl border bg-surface shadow-surface">
        <Failure error={error} onRetry={() => void refetch()} />
      </section>
    );
  return (
    <section aria-label="Credentials by state" className="overflow-hidden rounded-xl border bg-surface shadow-surface">
      <div aria-hidden="true" className="flex h-1 gap-px">
        {data &&
          order.map(
            (state) =>
              data.states[state] > 0 && (
                <span key={state} className={looks[state].tone} style={{ flexGrow: data.states[state], minWidth: 3 }} />
              ),
          )}
      </div>
      <ul className="grid grid-cols-2 gap-px bg-separator sm:grid-cols-5">
        {order.map((state) => (
          <li key={state} className="bg-surface first:max-sm:col-span-2">
            <Link
              href={`/credentials?state=${state}`}
              className="group block px-4 py-3.5 outline-none hover:bg-surface-secondary focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset sm:px-5"
            >
              <span className="flex items-center gap-2 text-xs text-muted group-hover:text-foreground">
                <span className={`size-1.5 rounded-full ${looks[state].tone}`} aria-hidden="true" />
                {looks[state].label}
              </span>
              <span className="mt-1 block text-2xl leading-8 font-semibold tracking-[-0.02em] tabular-nums">
                {data ? format.format(data.states[state]) : <Skeleton className="my-1 h-6 w-16 rounded-md" />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
