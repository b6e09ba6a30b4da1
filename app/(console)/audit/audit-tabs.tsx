"use client";
import { LinkTabs } from "@/components/ui/link-tabs";

export function AuditTabs() {
  return (
    <LinkTabs
      label="Records"
      tabs={[
        { href: "/audit", label: "Changes" },
        { href: "/audit/security", label: "Security" },
      ]}
    />
  );
}
