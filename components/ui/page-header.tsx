import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link";

interface Props {
  title: ReactNode;
  description?: ReactNode;
  /** The parent pages of this page, outermost first. */
  trail?: { label: string; href: string }[];
  /** Shown next to the title: states, counts. */
  aside?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, trail, aside, actions }: Props) {
  return (
    <header className="mb-6">
      {trail && (
        <nav aria-label="Breadcrumb" className="mb-1.5">
          <ol className="flex items-center gap-1 text-[0.8125rem] text-muted">
            {trail.map((step, i) => (
              <li key={step.href} className="flex min-w-0 items-center gap-1">
                {i > 0 && <ChevronRight className="size-3.5 shrink-0" aria-hidden="true" />}
                <Link
                  href={step.href}
                  className="inline-flex min-h-6 items-center rounded-sm wrap-anywhere hover:text-foreground hover:underline"
                >
                  {step.label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1
              tabIndex={-1}
              className="outline-none text-[1.375rem] leading-8 font-semibold tracking-[-0.015em] text-balance wrap-anywhere"
            >
              {title}
            </h1>
            {aside}
          </div>
          {description && (
            <div className="mt-1 max-w-2xl text-sm text-pretty text-muted wrap-anywhere">{description}</div>
          )}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}
