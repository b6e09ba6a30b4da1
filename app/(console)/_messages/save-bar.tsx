"use client";
import { Button } from "@heroui/react";

/**
 * Saves a long form from wherever somebody is in it. It keeps its place on the screen: an error that goes away when its
 * field is left would otherwise move the button from under the pointer.
 */
export function SaveBar({ isPending }: { isPending: boolean }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-1 border-t bg-background px-1 py-3">
      <Button type="submit" isPending={isPending}>
        Save
      </Button>
    </div>
  );
}
