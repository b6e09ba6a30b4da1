"use client";
import { Button, Kbd, Modal } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Boxes, Search, UserRound, UsersRound, type LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useEffect, useState } from "react";
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
} from "react-aria-components";
import { useLeave } from "@/components/console/leave-guard";
import { useTRPC } from "@/components/trpc/client";
import { navigation } from "./navigation";
import { useSession } from "./session";

export function CommandButton({
  onPress,
  compact = false,
  className = "",
}: {
  onPress(): void;
  compact?: boolean;
  className?: string;
}) {
  if (compact) {
    return (
      <Button variant="ghost" isIconOnly aria-label="Search" onPress={onPress} className={className}>
        <Search className="size-5!" aria-hidden="true" />
      </Button>
    );
  }
  return (
    <Button
      variant="outline"
      fullWidth
      onPress={onPress}
      className={`justify-start px-2.5 font-normal text-muted ${className}`}
    >
      <Search className="text-muted" aria-hidden="true" />
      Search
      <Kbd className="ms-auto bg-transparent px-0 text-xs">⌘K</Kbd>
    </Button>
  );
}

/**
 * Goes anywhere by typing: places of the console, people by name, e-mail or your id for them, and groups. Opens with ⌘K or Ctrl K.
 */
export function CommandPalette({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange(open: boolean): void }) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      onOpenChange(true);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [onOpenChange]);
  return (
    <Modal.Backdrop isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal.Container placement="top" className="sm:w-full">
        <Modal.Dialog aria-label="Search" className="mt-[8vh] max-w-xl overflow-hidden p-0">
          <Finder onDone={() => onOpenChange(false)} />
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

interface Found {
  id: string;
  label: string;
  hint?: string;
  icon: LucideIcon;
}

function Finder({ onDone }: { onDone(): void }) {
  const router = useRouter();
  const leave = useLeave();
  const [text, setText] = useState("");
  const places = usePlaces(text);
  const subjects = useSubjects(text);
  const groups = useGroups(text);
  const sections = [
    { name: "Go to", items: places },
    { name: "People", items: subjects.items },
    { name: "Groups", items: groups.items },
  ].filter((section) => section.items.length > 0);
  const go = (href: string) => {
    onDone();
    if (href === "/docs") window.open(href, "_blank", "noopener");
    else leave(() => router.push(href));
  };
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField aria-label="Search" autoFocus className="flex items-center gap-3 border-b px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <Input
          placeholder="Search people and groups, or go to…"
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm [&::-webkit-search-cancel-button]:hidden"
        />
      </SearchField>
      {/* The focus stays in the search field, so the scrolling list is reached with Tab. */}
      <div role="group" aria-label="Results" tabIndex={0} className="max-h-[50vh] scrollbar overflow-y-auto">
        <Menu
          aria-label="Results"
          items={sections}
          onAction={(key) => go(String(key))}
          renderEmptyState={() => (
            <p className="px-4 py-8 text-center text-[0.8125rem] text-muted">
              {subjects.isSearching || groups.isSearching ? "Searching…" : `Nothing found for “${text}”.`}
            </p>
          )}
          className="p-1.5 outline-none"
        >
          {(section) => (
            <MenuSection id={section.name}>
              <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{section.name}</Header>
              <Collection items={section.items}>
                {({ id, label, hint, icon: Icon }) => (
                  <MenuItem
                    id={id}
                    textValue={label}
                    className="flex h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-[0.8125rem] outline-none data-focused:bg-default"
                  >
                    <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" />
                    <span className="truncate font-medium">
                      <bdi>{label}</bdi>
                    </span>
                    {hint && <span className="ms-auto truncate text-xs text-muted">{hint}</span>}
                  </MenuItem>
                )}
              </Collection>
            </MenuSection>
          )}
        </Menu>
      </div>
    </Autocomplete>
  );
}

function usePlaces(text: string): Found[] {
  const { can } = useSession();
  const wanted = text.trim().toLowerCase();
  return navigation
    .flatMap(({ items }) => items)
    .filter((item) => (!item.scope || can(item.scope)) && item.label.toLowerCase().includes(wanted))
    .map(({ label, href, icon }) => ({ id: href, label, icon }));
}

/**
 * The results for the text in the field. Results for an earlier text are removed, because Enter would open one of them.
 */
interface Search {
  items: Found[];
  isSearching: boolean;
}

const nothing: Search = { items: [], isSearching: false };

function useSubjects(text: string): Search {
  const trpc = useTRPC();
  const { can } = useSession();
  const typed = text.trim();
  const q = useDeferredValue(typed);
  const { data, isFetching } = useQuery(
    trpc.subjects.find.queryOptions({ q, limit: 6 }, { enabled: q.length > 1 && can("subjects:read") }),
  );
  if (typed.length < 2) return nothing;
  if (q !== typed || !data) return { items: [], isSearching: q !== typed || isFetching };
  const people = data.data.map((s) => ({
    id: `/subjects/${s.id}`,
    label: s.erasedAt ? "Erased person" : s.displayName || s.externalId,
    hint: s.erasedAt ? undefined : (s.email ?? s.externalId),
    icon: UserRound,
  }));
  const more = data.total === null ? "Many" : data.total - people.length;
  const all = {
    id: `/subjects?${new URLSearchParams({ q })}`,
    label: `${more} more people: see all`,
    icon: UsersRound,
  };
  return { items: more === 0 ? people : [...people, all], isSearching: false };
}

function useGroups(text: string): Search {
  const trpc = useTRPC();
  const { can } = useSession();
  const typed = text.trim();
  const q = useDeferredValue(typed);
  const { data, isFetching } = useQuery(
    trpc.groups.list.queryOptions({ q, limit: 4 }, { enabled: q.length > 1 && can("groups:read") }),
  );
  if (typed.length < 2) return nothing;
  if (q !== typed || !data) return { items: [], isSearching: q !== typed || isFetching };
  return {
    items: data.data.map(({ id, name, externalId }) => ({
      id: `/groups/${id}`,
      label: name,
      hint: externalId ?? undefined,
      icon: Boxes,
    })),
    isSearching: false,
  };
}
