"use client";
import { ArrowUpRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "@/components/ui/link";
import { useSession } from "./session";
import { leadsTo, navigation, type Destination } from "./navigation";

/** The console's navigation. `onLeave` is called when a destination is chosen, so that the drawer on a phone closes. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const { can } = useSession();
  return (
    <nav aria-label="Console" className="space-y-5">
      {navigation.map(({ heading, items }) => {
        const shown = items.filter((item) => !item.scope || can(item.scope));
        if (shown.length === 0) return null;
        return (
          <div key={heading ?? "top"}>
            {heading && <h2 className="mb-1 px-2.5 text-xs font-medium text-muted">{heading}</h2>}
            <ul className="space-y-px">
              {shown.map((item) => (
                <li key={item.href}>
                  <Place {...item} onLeave={onLeave} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function Place({ label, href, icon: Icon, leaves, onLeave }: Destination & { onLeave?: () => void }) {
  const here = leadsTo(href, usePathname());
  const look = `group flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-[0.8125rem] font-medium outline-none transition-colors focus-visible:ring-2 focus-visible:ring-focus max-lg:h-10 max-lg:text-sm ${
    here
      ? "bg-surface text-foreground shadow-[0_0_0_1px_var(--border)]"
      : "text-foreground/75 hover:bg-default hover:text-foreground"
  }`;
  const content = (
    <>
      <Icon
        className={`size-4 ${here ? "text-accent" : "text-muted group-hover:text-foreground"}`}
        aria-hidden="true"
      />
      {label}
      {leaves && <ArrowUpRight className="ms-auto size-3.5 text-muted" aria-hidden="true" />}
    </>
  );
  if (leaves)
    return (
      <a href={href} target="_blank" rel="noopener" className={look}>
        {content}
      </a>
    );
  return (
    <Link href={href} onClick={onLeave} aria-current={here ? "page" : undefined} className={look}>
      {content}
    </Link>
  );
}
