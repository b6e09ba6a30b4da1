import type { Metadata } from "next";
import { ConfirmationQueue } from "./confirmation-queue";

export const metadata: Metadata = { title: "Names to confirm" };

export default function ConfirmationsPage() {
  return <ConfirmationQueue />;
}
