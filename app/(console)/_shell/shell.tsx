"use client";
import { Button, Drawer } from "@heroui/react";
import { Menu } from "lucide-react";
import { useState, type ReactNode } from "react";
import { OfflineBanner } from "@/components/console/offline-banner";
import { Seal } from "@/components/logo";
import { useTheme } from "@/components/theme/use-theme";
import { Link } from "@/components/ui/link";
import { AccountMenu } from "./account-menu";
import { CommandButton, CommandPalette } from "./command-palette";
import { useSession } from "./session";
import { Sidebar } from "./sidebar";

/** The frame of the console: navigation on the left (on phones behind a button), the page on the right. */
export function Shell({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  // Follows a change of the system's theme while the console is open.
  useTheme();
  const search = () => setSearching(true);
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-3 py-2 text-accent-foreground focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-sidebar lg:flex">
        <div className="px-3 pt-3.5 pb-3">
          <Home />
          <CommandButton onPress={search} className="mt-3" />
        </div>
        <div className="min-h-0 flex-1 scrollbar overflow-y-auto px-3 pt-1 pb-4">
          <Sidebar />
        </div>
        <div className="border-t p-2">
          <AccountMenu />
        </div>
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-sidebar/90 px-3 backdrop-blur lg:hidden">
        <Button variant="ghost" isIconOnly aria-label="Open navigation" onPress={() => setOpen(true)}>
          <Menu className="size-5!" aria-hidden="true" />
        </Button>
        <Home />
        <CommandButton compact onPress={search} className="ms-auto" />
      </header>
      <Drawer.Backdrop isOpen={open} onOpenChange={setOpen}>
        <Drawer.Content placement="left">
          <Drawer.Dialog aria-label="Navigation" className="w-72! bg-sidebar p-0">
            <div className="flex h-14 items-center border-b px-4">
              <Home />
            </div>
            <Drawer.CloseTrigger />
            <div className="min-h-0 flex-1 overflow-y-auto p-3">
              <Sidebar onLeave={() => setOpen(false)} />
            </div>
            <div className="border-t p-2">
              <AccountMenu />
            </div>
          </Drawer.Dialog>
        </Drawer.Content>
      </Drawer.Backdrop>
      <div className="min-w-0">
        <div className="sticky top-14 z-20 lg:top-0">
          <OfflineBanner />
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 px-4 pt-6 pb-16 outline-none sm:px-6 lg:px-10 lg:pt-9">
          <div className="mx-auto max-w-[76rem]">{children}</div>
        </main>
      </div>
      <CommandPalette isOpen={searching} onOpenChange={setSearching} />
    </div>
  );
}

function Home() {
  const { current } = useSession();
  return (
    <Link
      href="/"
      className="flex min-w-0 items-center gap-2.5 rounded-md px-1 outline-none focus-visible:ring-2 focus-visible:ring-focus"
    >
      <Seal className="size-6.5 shrink-0" />
      <span className="truncate text-[0.9375rem] font-semibold tracking-[-0.01em]">{current.name}</span>
    </Link>
  );
}
