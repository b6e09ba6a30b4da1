import { CircleCheck, TriangleAlert } from "lucide-react";
import { contrastOf } from "@/server/templates/palette";

interface Props {
  /** The colour of the text and that of its background, such as #1a2b3c. */
  colour: string;
  ground: string;
  /**
   * The lowest ratio that is easy to read: 4.5 for small text, 3 for large text and lines (WCAG 2.2, 1.4.3 and 1.4.11).
   */
  needed: 3 | 4.5;
}

/** Says in words whether a colour can be read on the background. */
export function ContrastNote({ colour, ground, needed }: Props) {
  const ratio = contrastOf(colour, ground);
  // Rounded down, so that 4.49 does not read as enough.
  const words = `${(Math.floor(ratio * 10) / 10).toLocaleString("en")} : 1`;
  if (ratio >= needed)
    return (
      <p className="mt-1 flex items-start gap-1.5 text-xs text-muted">
        <CircleCheck className="mt-0.5 size-3.5 shrink-0 text-success-soft-foreground" aria-hidden="true" />
        Easy to read: contrast {words}
      </p>
    );
  return (
    <p role="status" className="mt-1 flex items-start gap-1.5 text-xs text-pretty text-warning-soft-foreground">
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
      Hard to read on the background: contrast {words}, at least {needed} : 1 is needed. Choose a{" "}
      {isDark(ground) ? "lighter" : "darker"} colour.
    </p>
  );
}

const isDark = (ground: string) => contrastOf(ground, "#ffffff") > contrastOf(ground, "#000000");
