import type { Metadata } from "next";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Bulk jobs" };

export default function JobsPage() {
  return <JobList />;
}
