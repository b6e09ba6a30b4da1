import { fitText } from "./fit-text";
import type { SideField } from "./card-field";

interface Props {
  field: SideField;
  small?: boolean;
  wide?: boolean;
}

/** A label and its value on one line. */
export function Labelled({ field: { label, text }, small = false, wide = false }: Props) {
  const largest = small ? 2.2 : 3.3;
  // One line and slightly smaller, so that a date with its time fits. Longer values are listed among the facts.
  const oneLine = { width: wide ? 58 : 39, height: 1.6 * largest, largest, lineHeight: 1.5 };
  const size = Math.max(0.65 * largest, fitText(text.replace(/\s/g, "\u00a0"), oneLine));
  return (
    <div className={`min-w-0 ${wide ? "max-w-full" : "max-w-[40cqw]"}`}>
      {label && <p className={`${small ? "text-[1.7cqw]" : "text-[2.4cqw]"} truncate opacity-70`}>{label}</p>}
      <p className="truncate leading-normal font-medium" style={{ fontSize: `${size}cqw` }}>
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}
