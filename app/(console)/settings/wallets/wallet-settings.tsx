import { PageHeader } from "@/components/ui/page-header";
import { SettingsTabs } from "../settings-tabs";
import { AppleWallet } from "./apple";
import { GoogleWallet } from "./google";

/** The wallet settings of the organisation, which let people keep credentials on their phones. */
export function WalletSettings() {
  return (
    <>
      <PageHeader
        title="Settings"
        description="With these, people keep their credentials in the wallet of their phone, where they follow each change."
      />
      <SettingsTabs />
      <div className="max-w-3xl space-y-5">
        <AppleWallet />
        <GoogleWallet />
      </div>
    </>
  );
}
