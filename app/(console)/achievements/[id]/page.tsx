import type { Metadata } from "next";
import { Achievement } from "./achievement";

export const metadata: Metadata = { title: "Achievement" };

export default async function AchievementPage({ params }: { params: Promise<{ id: string }> }) {
  return <Achievement id={(await params).id} />;
}
