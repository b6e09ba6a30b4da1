import type { Metadata } from "next";
import { Subject } from "./subject";

export const metadata: Metadata = { title: "Person" };

export default async function SubjectPage({ params }: { params: Promise<{ id: string }> }) {
  return <Subject id={(await params).id} />;
}
