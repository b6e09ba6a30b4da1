"use client";
import { LinkTabs } from "@/components/ui/link-tabs";
import { useSession } from "../_shell/session";

/** Messages to holders, and alerts to the owner or admin who is signed in. Nobody else gets alerts. */
export function MessageTabs() {
  const { can } = useSession();
  if (!can("members:write")) return null;
  return (
    <LinkTabs
      label="Messages"
      tabs={[
        { href: "/messages", label: "To holders" },
        { href: "/messages/alerts", label: "Alerts to you" },
      ]}
    />
  );
}
