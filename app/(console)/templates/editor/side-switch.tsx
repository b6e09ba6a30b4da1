import { Button } from "@heroui/react";

export type Side = "front" | "back";

const names: Record<Side, string> = { front: "Front", back: "Back" };

interface Props {
  value: Side;
  onChange(side: Side): void;
  /** The object that has sides, for screen readers. */
  label: string;
}

/** Chooses the side of a card. */
export function SideSwitch({ value, onChange, label }: Props) {
  return (
    <div role="group" aria-label={label} className="inline-flex rounded-lg border bg-surface-secondary p-0.5">
      {(["front", "back"] as const).map((side) => (
        <Button
          key={side}
          variant={value === side ? "outline" : "ghost"}
          size="sm"
          aria-pressed={value === side}
          className="h-7 px-3 text-xs md:h-7"
          onPress={() => onChange(side)}
        >
          {names[side]}
        </Button>
      ))}
    </div>
  );
}
