import type { Metadata } from "next";
import { ResetForm } from "./form";

export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

export default function ResetPasswordPage() {
  return <ResetForm />;
}
