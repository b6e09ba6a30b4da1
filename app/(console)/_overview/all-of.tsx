import { ArrowRight } from "lucide-react";
import { Link } from "@/components/ui/link";

/** A link from an excerpt on the overview to the full list. */
export function AllOf({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="inline-flex items-center gap-1 rounded-sm py-1 text-[0.8125rem] text-muted outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-focus"
    >
      {children} <ArrowRight className="size-3.5" aria-hidden="true" />
    </Link>
  );
}
