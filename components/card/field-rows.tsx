import type { SideField } from "./card-field";
import { fitText } from "./fit-text";
import { fitRows, rowsOf } from "./rows";

interface Props {
  fields: SideField[];
  side: "front" | "back";
  /** The width of a row, in shares of the card's width. */
  width: number;
  className?: string;
}

/** Fields in rows of twelve columns, each as wide as its design says. A long text breaks over lines, and gets smaller. */
export function FieldRows({ fields, side, width, className = "" }: Props) {
  const shown = fitRows(fields, { rows: rowsOf[side], usual: side === "front" ? "third" : "half" });
  if (shown.length === 0) return null;
  return (
    <div className={`grid grid-cols-12 gap-x-[3cqw] gap-y-[2cqw] ${className}`}>
      {shown.map(({ field: { key, label, text }, span }) => {
        const box = {
          width: (width * span) / 12 - 3,
          height: side === "back" && span === 12 ? 12 : 8,
          lineHeight: 1.3,
        };
        return (
          <div key={key} className="min-w-0" style={{ gridColumn: `span ${span}` }}>
            {label && <p className="truncate text-[2.4cqw] opacity-70">{label}</p>}
            <p
              className="overflow-hidden leading-[1.3] font-medium wrap-anywhere"
              style={{ fontSize: `${fitText(text, { ...box, largest: 3.2 })}cqw`, maxHeight: `${box.height + 0.6}cqw` }}
            >
              <bdi>{text}</bdi>
            </p>
          </div>
        );
      })}
    </div>
  );
}
