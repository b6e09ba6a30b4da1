import { Link2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { guides } from "./guides";
import { NextGuide } from "./navigation";

export function Guide({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <article className="min-w-0">
      <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight text-balance">{title}</h1>
      <p className="mt-3 text-base text-pretty text-muted">{lead}</p>
      <div className="mt-8 text-[0.9375rem] leading-7 [&_a:not(.plain)]:text-link [&_a:not(.plain)]:underline [&_a:not(.plain)]:underline-offset-4 [&_li]:mt-1.5 [&_li]:ps-1 [&_ol]:my-4 [&_ol]:list-decimal [&_ol]:ps-5 [&_p]:my-4 [&_p]:text-pretty [&_ul]:my-4 [&_ul]:list-disc [&_ul]:ps-5">
        {children}
      </div>
      <NextGuide />
    </article>
  );
}

/** A heading with an anchor. */
export function Heading({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="group mt-11 mb-3 scroll-mt-20 text-lg leading-snug font-semibold tracking-tight">
      {children}
      <a
        href={`#${id}`}
        aria-label={`Link to ${children}`}
        className="plain ms-2 inline-block rounded-sm align-[-0.1em] text-muted opacity-0 outline-none group-hover:opacity-100 focus-visible:opacity-100 focus-visible:ring-2 focus-visible:ring-focus"
      >
        <Link2 className="size-4" aria-hidden="true" />
      </a>
    </h2>
  );
}

export function Term({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-sm bg-surface-tertiary px-1 py-0.5 font-mono text-[0.8125em] wrap-anywhere">
      {children}
    </code>
  );
}

/** A link within this service. The reference and the OpenAPI document are not pages of Next. */
export function To({ href, children }: { href: string; children: ReactNode }) {
  const isPage = guides.some((guide) => guide.href === href);
  return isPage ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>;
}

export function Note({ children }: { children: ReactNode }) {
  return (
    <div className="my-5 rounded-lg border border-accent/30 bg-accent/7 px-4 py-3 text-[0.875rem] leading-6 text-pretty [&>p]:my-0!">
      {children}
    </div>
  );
}

/** A table that scrolls horizontally if it is wider than the page. */
export function Table({ label, head, rows }: { label: string; head: string[]; rows: ReactNode[][] }) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="scrollbar my-5 overflow-x-auto rounded-lg border bg-surface outline-none focus-visible:ring-2 focus-visible:ring-focus"
    >
      <table className="w-full text-left [&_code]:whitespace-nowrap text-[0.8125rem] leading-5">
        <thead className="bg-surface-secondary text-xs text-muted">
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col" className="px-3.5 py-2 font-medium whitespace-nowrap">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i} className="border-t">
              {row.map((cell, j) => (
                <td key={j} className="min-w-28 px-3.5 py-2.5 align-top sm:first:whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
