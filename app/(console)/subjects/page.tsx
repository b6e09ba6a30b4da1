import type { Metadata } from "next";
import { SubjectList } from "./subject-list";

export const metadata: Metadata = { title: "People" };

export default function SubjectsPage() {
  return <SubjectList />;
}
