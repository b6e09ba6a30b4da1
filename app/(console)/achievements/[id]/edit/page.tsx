import type { Metadata } from "next";
import { EditAchievement } from "./edit-achievement";

export const metadata: Metadata = { title: "Edit achievement" };

export default async function EditAchievementPage({ params }: { params: Promise<{ id: string }> }) {
  return <EditAchievement id={(await params).id} />;
}
