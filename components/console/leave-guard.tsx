"use client";
import { Button, Modal } from "@heroui/react";
import { useRouter } from "next/navigation";
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from "react";
import { hasUnsaved } from "./unsaved";

const LeaveContext = createContext<(go: () => void) => void>((go) => go());

/**
 * Runs an action that leaves the page. First asks if a form on the page has unsaved changes. For code that calls the
 * router itself; links are guarded without it.
 */
export function useLeave(): (go: () => void) => void {
  return useContext(LeaveContext);
}

/**
 * Asks "Leave without saving?" before a link leads away from a form with unsaved changes. The browser asks only before
 * the whole document is replaced, which links within the console do not do.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [leaving, setLeaving] = useState<{ go(): void } | null>(null);
  const leave = useCallback((go: () => void) => (hasUnsaved() ? setLeaving({ go }) : go()), []);
  useEffect(() => {
    const hold = (event: MouseEvent) => {
      const href = hasUnsaved() ? hrefThatLeaves(event) : null;
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving({ go: () => router.push(href) });
    };
    // Listens on the window in the capture phase, before the handlers of any link.
    window.addEventListener("click", hold, true);
    return () => window.removeEventListener("click", hold, true);
  }, [router]);
  const stay = () => setLeaving(null);
  return (
    <LeaveContext value={leave}>
      {children}
      <Modal.Backdrop isOpen={leaving !== null} onOpenChange={stay} isDismissable>
        <Modal.Container placement="center" className="sm:w-full">
          <Modal.Dialog role="alertdialog" className="max-w-sm p-0">
            <Modal.Header className="gap-1 px-5 pt-5 sm:px-6">
              <Modal.Heading className="text-base font-semibold tracking-[-0.01em]">
                Leave without saving?
              </Modal.Heading>
              <p className="text-[0.8125rem] text-pretty text-muted">
                What you entered on this page is not saved and will be lost.
              </p>
            </Modal.Header>
            <div className="flex flex-wrap justify-end gap-2 px-5 pt-5 pb-5 sm:px-6">
              <Button variant="outline" onPress={stay} autoFocus>
                Keep editing
              </Button>
              <Button
                variant="danger"
                onPress={() => {
                  stay();
                  leaving?.go();
                }}
              >
                Leave without saving
              </Button>
            </div>
          </Modal.Dialog>
        </Modal.Container>
      </Modal.Backdrop>
    </LeaveContext>
  );
}

/** The address to which a click leads in this tab, if it is another page of the console. */
function hrefThatLeaves(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || link.hasAttribute("download") || (link.target && link.target !== "_self")) return null;
  const to = new URL(link.href);
  const { origin, pathname, search } = window.location;
  // The browser asks before another site is opened.
  if (to.origin !== origin || (to.pathname === pathname && to.search === search)) return null;
  return to.pathname + to.search + to.hash;
}
