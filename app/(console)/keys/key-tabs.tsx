"use client";
import { LinkTabs } from "@/components/ui/link-tabs";

export function KeyTabs() {
  return (
    <LinkTabs
      label="Kinds of access"
      tabs={[
        { href: "/keys", label: "API keys" },
        { href: "/keys/oauth", label: "OAuth clients" },
      ]}
    />
  );
}
