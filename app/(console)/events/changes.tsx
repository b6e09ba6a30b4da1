/** The fields that an event says were changed, with their old and new values. */
export function Changes({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const fields = Object.keys(before);
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-[0.8125rem] font-semibold">Changed</h3>
      <dl className="divide-y divide-separator overflow-hidden rounded-lg border text-xs">
        {fields.map((field) => (
          <div key={field} className="grid grid-cols-1 gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
            <dt className="font-mono break-all text-muted">{field}</dt>
            <dd className="font-mono break-all">
              <del className="text-muted decoration-danger/60">
                <span className="sr-only">from </span>
                <bdi>{shown(before[field])}</bdi>
              </del>
              <span className="px-1.5 text-muted" aria-hidden="true">
                →
              </span>
              <ins className="no-underline">
                <span className="sr-only">to </span>
                <bdi>{shown(after[field])}</bdi>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const shown = (value: unknown) =>
  typeof value === "string" ? value || "“”" : value === undefined ? "–" : JSON.stringify(value);
