"use client";
import { Button } from "@heroui/react";

/**
 * A save button that stays visible while a long form scrolls. Its position is fixed: otherwise, an error message that
 * disappears when its field loses focus would move the button away from the pointer before the click.
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
