"use client";
import { Button, Popover, Separator } from "@heroui/react";
import { Check, ChevronsUpDown, KeyRound, LogOut } from "lucide-react";
import { useState } from "react";
import { Link } from "@/components/ui/link";
import { useSession } from "./session";
import { enterOrganisation, leave } from "./sign-out";
import { ThemeChoice } from "./theme-choice";

const item =
  "flex h-8 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 text-[0.8125rem] outline-none hover:bg-default focus-visible:ring-2 focus-visible:ring-focus";

/** Who is signed in and where; other organisations, appearance, account, sign-out. */
export function AccountMenu() {
  const { user, memberships, current } = useSession();
  const [open, setOpen] = useState(false);
  return (
    <Popover isOpen={open} onOpenChange={setOpen}>
      <Button variant="ghost" fullWidth className="h-11 justify-start gap-2.5 px-2 max-lg:h-12 md:h-11">
        <Initials name={user.name || user.email} />
        <span className="sr-only">Account and organisation: </span>
        <span className="min-w-0 flex-1 text-left">
          <span className="block truncate text-[0.8125rem] leading-4.5 font-medium">
            <bdi>{user.name || user.email}</bdi>
          </span>
          <span className="block truncate text-xs leading-4 font-normal text-muted capitalize">{current.role}</span>
        </span>
        <ChevronsUpDown className="text-muted" aria-hidden="true" />
      </Button>
      <Popover.Content placement="top start" className="w-64 p-0">
        <Popover.Dialog className="p-1.5">
          <p className="truncate px-2 pt-1 pb-1.5 text-xs text-muted">{user.email}</p>
          {memberships.length > 1 && (
            <>
              {memberships.map((m) => (
                <button
                  key={m.orgId}
                  type="button"
                  className={item}
                  aria-current={m.orgId === current.orgId ? "true" : undefined}
                  onClick={() => void enterOrganisation(m.orgId)}
                >
                  <Initials name={m.name} small />
                  <span className="truncate">{m.name}</span>
                  {m.orgId === current.orgId && <Check className="ms-auto size-4 text-accent" aria-hidden="true" />}
                </button>
              ))}
              <Separator className="my-1.5" />
            </>
          )}
          <div className="flex h-9 items-center justify-between px-2 text-[0.8125rem]">
            Appearance <ThemeChoice />
          </div>
          <Separator className="my-1.5" />
          <Link href="/settings/account" className={item} onClick={() => setOpen(false)}>
            <KeyRound className="size-4 text-muted" aria-hidden="true" /> Account and security
          </Link>
          <button type="button" className={item} onClick={() => void leave()}>
            <LogOut className="size-4 text-muted" aria-hidden="true" /> Sign out
          </button>
        </Popover.Dialog>
      </Popover.Content>
    </Popover>
  );
}

export function Initials({ name, small = false }: { name: string; small?: boolean }) {
  const letters = name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((part) => part[0]!.toUpperCase())
    .join("");
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-soft-foreground ${small ? "size-5 text-[0.5625rem]" : "size-7 text-[0.6875rem]"}`}
    >
      {letters}
    </span>
  );
}
