import type { Metadata } from "next";
import { MessageSettings } from "./message-settings";

export const metadata: Metadata = { title: "E-mail" };

export default function MessageSettingsPage() {
  return <MessageSettings />;
}
