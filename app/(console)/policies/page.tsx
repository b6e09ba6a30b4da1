import type { Metadata } from "next";
import { PolicyList } from "./policy-list";

export const metadata: Metadata = { title: "Policies" };

export default function PoliciesPage() {
  return <PolicyList />;
}
