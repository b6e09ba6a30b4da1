"use client";
import { Lock } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Empty } from "@/components/ui/empty";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { roleScopes, roles } from "@/server/access/roles";
import type { Scope } from "@/server/core/scopes";
import { roleWords } from "../members/roles";
import { formAt, restrictedDestination } from "./navigation";
import { useSession } from "./session";

/**
 * Shows a page to people whose role may see it. Tells other people which roles may, because the service would refuse
 * the page's requests.
 */
export function Admission({ children }: { children: ReactNode }) {
  const { can, current } = useSession();
  const path = usePathname();
  const place = restrictedDestination(path);
  const form = formAt(path);
  const barred = [place, form].find((each) => each?.scope && !can(each.scope));
  if (!barred?.scope) return children;
  return (
    <>
      <PageHeader title={barred.label} />
      <Panel>
        <Empty icon={Lock} title={barred === form ? "Your role does not do this" : "Your role does not see this"}>
          {whoMay(barred.scope)} of {current.name} do. Yours there is {roleWords[current.role].label.toLowerCase()}; an
          owner or admin can change it.
        </Empty>
      </Panel>
    </>
  );
}

function whoMay(scope: Scope): string {
  const allowed = roles.filter((role) => roleScopes[role].has(scope)).map((role) => `${roleWords[role].label}s`);
  return new Intl.ListFormat("en").format(allowed.map((label, i) => (i === 0 ? label : label.toLowerCase())));
}
