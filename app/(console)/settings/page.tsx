import type { Metadata } from "next";
import { OrganisationSettings } from "./organisation-settings";

export const metadata: Metadata = { title: "Settings" };

export default function SettingsPage() {
  return <OrganisationSettings />;
}
