import type { Metadata } from "next";
import { AccountSettings } from "./account-settings";

export const metadata: Metadata = { title: "Password and sessions" };

export default function AccountPage() {
  return <AccountSettings />;
}
