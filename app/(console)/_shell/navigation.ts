import {
  Activity,
  Award,
  BookOpen,
  Boxes,
  Building2,
  CreditCard,
  FileInput,
  KeyRound,
  LayoutTemplate,
  ListChecks,
  Mail,
  QrCode,
  ScrollText,
  ShieldCheck,
  SquareActivity,
  Users,
  UsersRound,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import type { Scope } from "@/server/core/scopes";

export interface Destination {
  label: string;
  href: string;
  icon: LucideIcon;
  /** The scope that the reader needs to see the destination. */
  scope?: Scope;
  /** Pages below the destination that everyone may open. */
  open?: string;
  /** True if the destination is outside the console. */
  leaves?: boolean;
}

export const navigation: { heading?: string; items: Destination[] }[] = [
  { items: [{ label: "Overview", href: "/", icon: Activity }] },
  {
    heading: "Credentials",
    items: [
      { label: "People", href: "/subjects", icon: Users, scope: "subjects:read" },
      { label: "Groups", href: "/groups", icon: Boxes, scope: "groups:read" },
      { label: "Connectors", href: "/connectors", icon: FileInput, scope: "connectors:read" },
      { label: "Credentials", href: "/credentials", icon: CreditCard, scope: "credentials:read" },
      { label: "Claim links", href: "/claims", icon: QrCode, scope: "credentials:read" },
      { label: "Templates", href: "/templates", icon: LayoutTemplate, scope: "templates:read" },
      { label: "Achievements", href: "/achievements", icon: Award, scope: "achievements:read" },
      { label: "Policies", href: "/policies", icon: ShieldCheck, scope: "policies:read" },
      { label: "Messages", href: "/messages", icon: Mail, scope: "credentials:read" },
      { label: "Bulk actions", href: "/jobs", icon: ListChecks, scope: "credentials:read" },
    ],
  },
  {
    heading: "Developers",
    items: [
      { label: "API keys", href: "/keys", icon: KeyRound, scope: "keys:read" },
      { label: "Webhooks", href: "/webhooks", icon: Webhook, scope: "webhooks:read" },
      { label: "Events", href: "/events", icon: SquareActivity, scope: "events:read" },
      { label: "API docs", href: "/docs", icon: BookOpen, leaves: true },
    ],
  },
  {
    heading: "Organisation",
    items: [
      { label: "Members", href: "/members", icon: UsersRound, scope: "members:read" },
      { label: "Audit log", href: "/audit", icon: ScrollText, scope: "audit:read" },
      { label: "Settings", href: "/settings", icon: Building2, scope: "settings:read", open: "/settings/account" },
    ],
  },
];

/**
 * Pages with a form. They are not shown to a person who may only read: the service would refuse what the form sends.
 */
const forms: { path: RegExp; label: string; scope: Scope }[] = [
  { path: /^\/connectors\/new(\/|$)/, label: "New connector", scope: "connectors:write" },
  { path: /^\/connectors\/[^/]+\/edit$/, label: "Edit connector", scope: "connectors:write" },
  { path: /^\/templates\/new$/, label: "New template", scope: "templates:write" },
  { path: /^\/templates\/[^/]+\/edit$/, label: "Edit template", scope: "templates:write" },
];

/** Pages below a destination that fewer people see than the destination. */
const restrictedPages: Destination[] = [
  { label: "Alerts to you", href: "/messages/alerts", icon: Mail, scope: "members:write" },
];

/** The form that a path shows. */
export const formAt = (path: string) => forms.find((form) => form.path.test(path));

/** Returns the destination that a path belongs to; nothing if everyone may open it. */
export function restrictedDestination(path: string): Destination | undefined {
  return [...restrictedPages, ...navigation.flatMap(({ items }) => items)].find(
    ({ href, open }) => leadsTo(href, path) && !(open && leadsTo(open, path)),
  );
}

/** True where `path` is the destination or lies below it. */
export function leadsTo(href: string, path: string): boolean {
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}
