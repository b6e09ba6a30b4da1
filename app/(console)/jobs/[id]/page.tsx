import type { Metadata } from "next";
import { Job } from "./job";

export const metadata: Metadata = { title: "Bulk action" };

export default async function JobPage({ params }: { params: Promise<{ id: string }> }) {
  return <Job id={(await params).id} />;
}
