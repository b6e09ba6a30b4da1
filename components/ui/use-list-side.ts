import { useState, type RefObject } from "react";

/** The height in pixels that a list of results should have at least, if there is so much room. */
const roomy = 280;

/**
 * Chooses the side of a field on which its list of results opens, by the room that there is. The list then stays on that
 * side: if it changed sides when a search made it shorter, it would move away from under the pointer.
 *
 * @returns properties of a ComboBox and of its popover
 */
export function useListSide(field: RefObject<HTMLElement | null>) {
  const [placement, setPlacement] = useState<"top" | "bottom">("bottom");
  return {
    box: {
      onOpenChange(isOpen: boolean) {
        if (!isOpen || !field.current) return;
        const { top, bottom } = field.current.getBoundingClientRect();
        const below = window.innerHeight - bottom;
        setPlacement(below < roomy && top > below ? "top" : "bottom");
      },
    },
    popover: { placement, shouldFlip: false },
  };
}
