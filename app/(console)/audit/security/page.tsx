import type { Metadata } from "next";
import { SecurityLog } from "./security-log";

export const metadata: Metadata = { title: "Security events" };

export default function SecurityPage() {
  return <SecurityLog />;
}
