import type { Metadata } from "next";
import { AchievementList } from "./achievement-list";

export const metadata: Metadata = { title: "Achievements" };

export default function AchievementsPage() {
  return <AchievementList />;
}
