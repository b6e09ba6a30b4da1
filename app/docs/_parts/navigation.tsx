"use client";
import { ArrowUpRight, Menu } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { guides, reference } from "./guides";

function Entries({ here }: { here: string }) {
  return (
    <ul className="space-y-0.5">
      {guides.map(({ href, label }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={here === href ? "page" : undefined}
            className={`block rounded-md px-2.5 py-1.5 text-[0.8125rem] outline-none focus-visible:ring-2 focus-visible:ring-focus ${here === href ? "bg-surface-tertiary font-medium text-foreground" : "text-muted hover:bg-surface-secondary hover:text-foreground"}`}
          >
            {label}
          </Link>
        </li>
      ))}
      <li className="mt-3 border-t pt-3">
        <a
          href={reference.href}
          className="flex items-center gap-1.5 rounded-md px-2.5 py-1.5 text-[0.8125rem] font-medium text-link outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
        >
          {reference.label}
          <ArrowUpRight className="size-3.5" aria-hidden="true" />
        </a>
      </li>
    </ul>
  );
}

/**
 * Lists the guides next to the text. On a phone the list is collapsed behind a line with the name of the open guide.
 */
export function Navigation() {
  const here = usePathname();
  const current = guides.find(({ href }) => href === here)?.label ?? "Guides";
  return (
    <>
      <nav aria-label="Guides" className="sticky top-20 hidden h-fit w-52 shrink-0 lg:block">
        <Entries here={here} />
      </nav>
      {/* The list is collapsed on every new page. */}
      <details key={here} className="group mb-6 rounded-lg border bg-surface lg:hidden">
        <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-3.5 py-2.5 text-[0.8125rem] font-medium outline-none focus-visible:ring-2 focus-visible:ring-focus [&::-webkit-details-marker]:hidden">
          <Menu className="size-4 text-muted" aria-hidden="true" />
          {current}
        </summary>
        <nav aria-label="Guides" className="border-t p-2">
          <Entries here={here} />
        </nav>
      </details>
    </>
  );
}

/** The next guide. */
export function NextGuide() {
  const here = usePathname();
  const at = guides.findIndex(({ href }) => href === here);
  const next = guides[at + 1] ?? reference;
  return (
    <p className="mt-14 border-t pt-6 text-[0.8125rem] text-muted">
      Next:{" "}
      <a href={next.href} className="font-medium text-link underline-offset-4 hover:underline">
        {next.label}
      </a>
    </p>
  );
}
