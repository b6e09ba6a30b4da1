import type { Metadata } from "next";
import { RunPage } from "./run";

export const metadata: Metadata = { title: "File" };

export default async function Page({ params }: { params: Promise<{ id: string; run: string }> }) {
  return <RunPage {...(await params)} />;
}
