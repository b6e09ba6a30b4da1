import type { Metadata } from "next";
import { EventExplorer } from "./event-explorer";

export const metadata: Metadata = { title: "Events" };

export default function EventsPage() {
  return <EventExplorer />;
}
