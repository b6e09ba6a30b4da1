import type { Metadata } from "next";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Bulk actions" };

export default function JobsPage() {
  return <JobList />;
}
