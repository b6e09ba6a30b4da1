import type { Metadata } from "next";
import { AlertList } from "./alert-list";

export const metadata: Metadata = { title: "Alerts to you" };

export default function AlertsPage() {
  return <AlertList />;
}
