import type { Metadata } from "next";
import { MessageList } from "./message-list";

export const metadata: Metadata = { title: "Messages" };

export default function MessagesPage() {
  return <MessageList />;
}
