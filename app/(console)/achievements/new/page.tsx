import type { Metadata } from "next";
import { NewAchievement } from "./new-achievement";

export const metadata: Metadata = { title: "New achievement" };

export default function NewAchievementPage() {
  return <NewAchievement />;
}
