import type { Metadata } from "next";
import { NewTemplate } from "./new-template";

export const metadata: Metadata = { title: "New template" };

export default function NewTemplatePage() {
  return <NewTemplate />;
}
