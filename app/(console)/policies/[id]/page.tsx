import type { Metadata } from "next";
import { PolicyPage } from "./policy";

export const metadata: Metadata = { title: "Policy" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <PolicyPage {...(await params)} />;
}
