import type { Metadata } from "next";
import { InviteForm } from "./form";

export const metadata: Metadata = { title: "Join", referrer: "no-referrer" };

export default function InvitePage() {
  return <InviteForm />;
}
