import type { Metadata } from "next";
import { errorTable } from "@/server/core/errors";

export const metadata: Metadata = { title: "Errors" };

/** The page that `type` of every problem document points at. */
export default function Errors() {
  return (
    <main className="mx-auto max-w-3xl px-4 py-12">
      <h1 className="text-2xl font-semibold tracking-tight">Errors</h1>
      <p className="mt-3 text-muted">
        Every refusal is <code>application/problem+json</code> (RFC 9457) with a <code>code</code> of this closed table, a <code>detail</code> that says what is
        wrong and what to do, and the <code>requestId</code> under which it was logged. Invalid input adds <code>errors</code>, each with a JSON pointer.
      </p>
      <table className="mt-8 w-full text-left text-sm">
        <thead>
          <tr className="border-b border-border">
            <th className="py-2 pr-4 font-medium">Code</th>
            <th className="py-2 pr-4 font-medium">Status</th>
            <th className="py-2 font-medium">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(errorTable).map(([code, [status, , title]]) => (
            <tr key={code} id={code} className="border-b border-border/60 target:bg-accent/10">
              <td className="py-2 pr-4">
                <a href={`#${code}`} className="font-mono">
                  {code}
                </a>
              </td>
              <td className="py-2 pr-4 tabular-nums">{status}</td>
              <td className="py-2">{title}.</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
