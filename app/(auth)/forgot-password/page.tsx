import type { Metadata } from "next";
import { ForgotForm } from "./form";

export const metadata: Metadata = { title: "Forgot your password?" };

export default function ForgotPasswordPage() {
  return <ForgotForm />;
}
