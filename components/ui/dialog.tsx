"use client";
import { Modal } from "@heroui/react";
import type { ReactNode } from "react";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  description?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  /** A click outside or Escape does not close it: what it shows is not seen twice. */
  insistent?: boolean;
  children: ReactNode;
}

const widths = { sm: "max-w-sm", md: "max-w-md", lg: "max-w-xl", xl: "max-w-3xl" };

/** A window over the page. Its content is made anew each time it opens; actions stand in a DialogActions within. */
export function Dialog({ isOpen, onOpenChange, title, description, size = "md", insistent = false, children }: Props) {
  return (
    <Modal.Backdrop isOpen={isOpen} onOpenChange={onOpenChange} isDismissable={!insistent} isKeyboardDismissDisabled={insistent}>
      <Modal.Container placement="center" scroll="outside" className="sm:w-full">
        <Modal.Dialog className={`${widths[size]} p-0`}>
          <Modal.Header className="gap-1 px-5 pt-5 pe-12 sm:px-6 sm:pt-5">
            <Modal.Heading className="text-base font-semibold tracking-[-0.01em]">{title}</Modal.Heading>
            {description && <p className="text-[0.8125rem] text-pretty text-muted">{description}</p>}
          </Modal.Header>
          {!insistent && <Modal.CloseTrigger />}
          <div className="px-5 pt-4 pb-5 text-sm sm:px-6">{children}</div>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap items-center justify-end gap-2">{children}</div>;
}
