import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const tones = {
  neutral: "bg-[oklch(0.42_0.012_235)] text-white",
  warning: "bg-warning text-warning-foreground",
};

interface Props {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  tone?: keyof typeof tones;
}

/** An answer that is not a decision on a credential, displayed as large as one. */
export function Message({ icon: Icon, title, children, tone = "neutral" }: Props) {
  return (
    <section
      aria-labelledby="message"
      className="flex gap-4 rounded-2xl border bg-surface px-5 py-5 shadow-surface sm:gap-5 sm:px-6 sm:py-6"
    >
      <span className={`grid size-11 shrink-0 place-items-center rounded-full sm:size-14 ${tones[tone]}`}>
        <Icon className="size-6 sm:size-7" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1" role="status">
        <h1 id="message" className="text-xl leading-snug font-semibold tracking-[-0.015em] text-balance sm:text-2xl">
          {title}
        </h1>
        <div className="mt-1.5 text-pretty wrap-anywhere text-muted">{children}</div>
      </div>
    </section>
  );
}
