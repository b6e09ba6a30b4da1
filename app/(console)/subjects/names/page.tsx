import type { Metadata } from "next";
import { NameQueue } from "./name-queue";

export const metadata: Metadata = { title: "Names to correct" };

export default function NameQueuePage() {
  return <NameQueue />;
}
