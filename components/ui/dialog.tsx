"use client";
import { Button, Modal } from "@heroui/react";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
  /** Whether a click outside or Escape does not close it, because its content is shown only once. */
  insistent?: boolean;
  children: ReactNode;
}

const widths = { sm: "max-w-sm", md: "max-w-md", lg: "max-w-xl", xl: "max-w-3xl", "2xl": "max-w-5xl" };

/** The state that a form reports to its dialog. */
export interface FormState {
  /** The form has unsaved changes. */
  unsaved: boolean;
  /** The form was sent and has not been answered yet. */
  pending: boolean;
}

interface DialogControl {
  /** False while the dialog is closing. */
  isOpen: boolean;
  /**
   * Closes the dialog as Escape would: not while a form is being sent, and not without asking if something would be
   * lost.
   */
  close(): void;
  report(state: FormState): void;
}

const DialogContext = createContext<DialogControl | null>(null);

/** The dialog around an element; null on a page. */
export function useDialog(): DialogControl | null {
  return useContext(DialogContext);
}

const settled: FormState = { unsaved: false, pending: false };

/**
 * A window over the page. Its content is created anew each time it opens; actions belong into a DialogActions within.
 * Escape, a click outside, Cancel and the browser's Back ask before entered text is lost.
 */
export function Dialog({ isOpen, onOpenChange, title, description, size = "md", insistent = false, children }: Props) {
  const form = useRef(settled);
  const [asking, setAsking] = useState(false);
  const change = useRef(onOpenChange);
  useEffect(() => {
    change.current = onOpenChange;
  });
  const discard = useCallback(() => {
    form.current = settled;
    setAsking(false);
    change.current(false);
  }, []);
  const close = useCallback(() => {
    if (form.current.pending) return;
    if (form.current.unsaved) setAsking((asked) => !asked);
    else discard();
  }, [discard]);
  const report = useCallback((state: FormState) => void (form.current = state), []);
  const control = useMemo(() => ({ isOpen, close, report }), [isOpen, close, report]);
  if (asking && !isOpen) setAsking(false);
  useBackGuard(isOpen, form, () => setAsking(true));
  return (
    <Modal.Backdrop
      isOpen={isOpen}
      onOpenChange={(open) => (open ? onOpenChange(true) : close())}
      isDismissable={!insistent}
      isKeyboardDismissDisabled={insistent}
    >
      <Modal.Container placement="center" scroll="outside" className="sm:w-full">
        <Modal.Dialog className={`${widths[size]} p-0`}>
          <DialogContext value={control}>
            <Modal.Header className="gap-1 px-5 pt-5 pe-12 sm:px-6 sm:pt-5">
              <Modal.Heading className="text-base font-semibold tracking-[-0.01em]">{title}</Modal.Heading>
              {description && <p className="text-[0.8125rem] text-pretty text-muted">{description}</p>}
            </Modal.Header>
            {!insistent && <Modal.CloseTrigger />}
            <div className="px-5 pt-4 pb-5 text-sm sm:px-6">{children}</div>
            {asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={discard} />}
          </DialogContext>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

/** Asks before entered text is lost, at the bottom of the dialog or form. */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) {
  return (
    <div
      role="alertdialog"
      aria-label="Discard what you entered?"
      className="sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-b-2xl border-t bg-warning-soft px-5 py-3 text-warning-soft-foreground sm:px-6"
    >
      <p className="text-[0.8125rem] font-medium">Discard what you entered?</p>
      <div className="flex gap-2">
        <Button size="sm" variant="outline" onPress={onKeep} autoFocus>
          Keep editing
        </Button>
        <Button size="sm" variant="danger" onPress={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}

/** The part of the Navigation API that can block the browser's Back; not every browser has it yet. */
interface NavigationEvents {
  addEventListener(type: "navigate", listener: (event: Event & { navigationType: string }) => void): void;
  removeEventListener(type: "navigate", listener: (event: Event & { navigationType: string }) => void): void;
}

/** Makes the browser's Back and Forward ask before a form is lost, in browsers with the Navigation API. */
export function useBackGuard(isOpen: boolean, form: { readonly current: FormState }, ask: () => void): void {
  const question = useRef(ask);
  useEffect(() => {
    question.current = ask;
  });
  useEffect(() => {
    const { navigation } = window as unknown as { navigation?: NavigationEvents };
    if (!isOpen || !navigation) return;
    const hold = (event: Event & { navigationType: string }) => {
      if (event.navigationType !== "traverse" || !event.cancelable || (!form.current.unsaved && !form.current.pending))
        return;
      event.preventDefault();
      if (form.current.unsaved) question.current();
    };
    navigation.addEventListener("navigate", hold);
    return () => navigation.removeEventListener("navigate", hold);
  }, [isOpen, form]);
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap items-center justify-end gap-2">{children}</div>;
}
