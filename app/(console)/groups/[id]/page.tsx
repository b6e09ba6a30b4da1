import type { Metadata } from "next";
import { Group } from "./group";

export const metadata: Metadata = { title: "Group" };

export default async function GroupPage({ params }: { params: Promise<{ id: string }> }) {
  return <Group id={(await params).id} />;
}
