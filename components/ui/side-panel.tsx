"use client";
import { Drawer } from "@heroui/react";
import type { ReactNode } from "react";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The details of a row, next to its list. */
export function SidePanel({ isOpen, onOpenChange, title, description, actions, children }: Props) {
  return (
    <Drawer.Backdrop isOpen={isOpen} onOpenChange={onOpenChange}>
      <Drawer.Content placement="right">
        <Drawer.Dialog className="w-full! max-w-2xl! p-0">
          <Drawer.Header className="flex-row items-start justify-between gap-4 border-b px-5 py-4 pe-14 sm:px-6 sm:pe-14">
            <div className="min-w-0">
              <Drawer.Heading className="text-base font-semibold tracking-[-0.01em]">{title}</Drawer.Heading>
              {description && <div className="mt-0.5 text-[0.8125rem] text-muted">{description}</div>}
            </div>
            {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
          </Drawer.Header>
          <Drawer.CloseTrigger />
          <div className="min-h-0 flex-1 scrollbar overflow-y-auto overscroll-contain px-5 py-5 text-sm sm:px-6">
            {children}
          </div>
        </Drawer.Dialog>
      </Drawer.Content>
    </Drawer.Backdrop>
  );
}
