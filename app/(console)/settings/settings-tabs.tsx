"use client";
import { LinkTabs } from "@/components/ui/link-tabs";
import { useSession } from "../_shell/session";

export function SettingsTabs() {
  const { can } = useSession();
  const account = { href: "/settings/account", label: "Your account" };
  return (
    <LinkTabs
      label="Settings"
      tabs={
        can("settings:read")
          ? [
              { href: "/settings", label: "Organisation" },
              { href: "/settings/issuer", label: "Issuer" },
              { href: "/settings/messages", label: "E-mail" },
              { href: "/settings/wallets", label: "Wallets" },
              account,
            ]
          : [account]
      }
    />
  );
}
