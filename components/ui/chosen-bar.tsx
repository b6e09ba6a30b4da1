"use client";
import { Button } from "@heroui/react";
import { X } from "lucide-react";
import type { ReactNode } from "react";

/** What can be done with the chosen rows of a list; shown while there are any. */
export function ChosenBar({ count, noun: [one, many], onClear, children }: { count: number; noun: [string, string]; onClear(): void; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <div role="region" aria-label="Chosen rows" className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl bg-overlay py-2 ps-4 pe-2 text-[0.8125rem] shadow-overlay">
      <span aria-live="polite" className="me-2 font-medium tabular-nums">{count} {count === 1 ? one : many} chosen</span>
      {children}
      <Button variant="ghost" size="sm" isIconOnly aria-label="Choose none" onPress={onClear}><X aria-hidden="true" /></Button>
    </div>
  );
}
