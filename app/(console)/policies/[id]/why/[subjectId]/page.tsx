import type { Metadata } from "next";
import { WhyPage } from "./why";

export const metadata: Metadata = { title: "Why" };

export default async function Page({ params }: { params: Promise<{ id: string; subjectId: string }> }) {
  return <WhyPage {...(await params)} />;
}
