"use client";
import { Button, Dropdown, Label } from "@heroui/react";
import { Ellipsis, type LucideIcon } from "lucide-react";

export interface MenuAction {
  id: string;
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  onAction(): void;
}

/** The actions of a row or page, behind three dots. */
export function RowMenu({
  label,
  actions,
  outlined = false,
}: {
  label: string;
  actions: (MenuAction | false | null | undefined)[];
  outlined?: boolean;
}) {
  const shown = actions.filter((a): a is MenuAction => !!a);
  if (shown.length === 0) return null;
  return (
    <Dropdown>
      <Button
        isIconOnly
        size={outlined ? "md" : "sm"}
        variant={outlined ? "outline" : "ghost"}
        aria-label={label}
        className="relative z-10"
      >
        <Ellipsis aria-hidden="true" />
      </Button>
      <Dropdown.Popover placement="bottom end">
        <Dropdown.Menu aria-label={label} onAction={(key) => shown.find((a) => a.id === key)?.onAction()}>
          {shown.map(({ id, label: text, icon: Icon, danger }) => (
            <Dropdown.Item key={id} id={id} textValue={text} variant={danger ? "danger" : "default"}>
              {Icon && <Icon className={`size-4 ${danger ? "text-danger" : "text-muted"}`} aria-hidden="true" />}
              <Label>{text}</Label>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
