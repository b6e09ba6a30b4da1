import type { Metadata } from "next";
import { VerifyForm } from "./form";

export const metadata: Metadata = { title: "Verify your e-mail address", referrer: "no-referrer" };

export default function VerifyEmailPage() {
  return <VerifyForm />;
}
