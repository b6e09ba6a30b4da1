import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const tones = {
  info: { icon: Info, look: "border-accent/25 bg-accent-soft/60 text-accent-soft-foreground" },
  success: { icon: CircleCheck, look: "border-success/25 bg-success-soft text-success-soft-foreground" },
  warning: { icon: TriangleAlert, look: "border-warning/40 bg-warning-soft text-warning-soft-foreground" },
  danger: { icon: CircleAlert, look: "border-danger/25 bg-danger-soft text-danger-soft-foreground" },
};

interface Props {
  tone?: keyof typeof tones;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** A remark on its surroundings. A remark with the tone danger is announced to screen readers. */
export function Notice({ tone = "info", title, children, action, className = "" }: Props) {
  const { icon: Icon, look } = tones[tone];
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      className={`flex gap-2.5 rounded-lg border px-3 py-2.5 text-[0.8125rem] ${look} ${className}`}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56 text-pretty wrap-anywhere">
          {title && <p className="font-medium">{title}</p>}
          {children}
        </div>
        {action && <div className="-my-0.5 shrink-0">{action}</div>}
      </div>
    </div>
  );
}
