import type { Metadata } from "next";
import { SetUpForm } from "./form";

export const metadata: Metadata = { title: "Set up", referrer: "no-referrer" };

export default function SetUpPage() {
  return <SetUpForm />;
}
