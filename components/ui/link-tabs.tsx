"use client";
import { usePathname } from "next/navigation";
import { Link } from "./link";

/** Tabs that lead to pages. They are links, so each has a URL and can be opened in a new tab. */
export function LinkTabs({ label, tabs }: { label: string; tabs: { href: string; label: string }[] }) {
  const path = usePathname();
  return (
    <nav aria-label={label} className="mb-5 flex gap-5 overflow-x-auto border-b">
      {tabs.map((tab) => {
        const here = path === tab.href;
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={here ? "page" : undefined}
            className={`-mb-px rounded-t-sm border-b-2 pt-1 pb-2.5 text-[0.8125rem] font-medium whitespace-nowrap outline-none focus-visible:ring-2 focus-visible:ring-focus ${here ? "border-accent text-foreground" : "border-transparent text-muted hover:text-foreground"}`}
          >
            {tab.label}
          </Link>
        );
      })}
    </nav>
  );
}
