"use client";
import { Button } from "@heroui/react";
import { X } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  count: number;
  /** How many of the chosen rows the page does not show. */
  elsewhere: number;
  noun: [string, string];
  onClear(): void;
  children: ReactNode;
}

const format = new Intl.NumberFormat("en");

/** The actions on the chosen rows of a list; shown while there are chosen rows. */
export function ChosenBar({ count, elsewhere, noun: [one, many], onClear, children }: Props) {
  if (count === 0) return null;
  return (
    <div
      role="region"
      aria-label="Chosen rows"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl bg-overlay py-2 ps-4 pe-2 text-[0.8125rem] shadow-overlay"
    >
      <span aria-live="polite" className="me-2 max-sm:grow">
        <span className="font-medium tabular-nums">
          {format.format(count)} {count === 1 ? one : many} chosen
        </span>
        {elsewhere > 0 && (
          <span className="block text-xs text-muted tabular-nums">
            {elsewhere === count ? "none" : format.format(count - elsewhere)} on this page
          </span>
        )}
      </span>
      {children}
      <Button variant="ghost" size="sm" isIconOnly aria-label="Choose none" onPress={onClear}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
