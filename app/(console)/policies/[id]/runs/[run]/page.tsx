import type { Metadata } from "next";
import { PolicyRunPage } from "./run";

export const metadata: Metadata = { title: "Run" };

export default async function Page({ params }: { params: Promise<{ id: string; run: string }> }) {
  return <PolicyRunPage {...(await params)} />;
}
