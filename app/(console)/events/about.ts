import type { RouterOutputs } from "@/server/trpc/root";

export type LoggedEvent = RouterOutputs["events"]["list"]["data"][number];

/** Names what an event is about, in a line of a list: by its name if the event's data holds one, and by its id. */
export function aboutOf({ data: { object } }: LoggedEvent): { id: string; name: string | null } {
  const text = (key: string) => (typeof object[key] === "string" && object[key] !== "" ? object[key] : null);
  const name =
    text("displayName") ?? text("name") ?? text("description") ?? text("url") ?? text("code") ?? text("externalId");
  const version = typeof object["version"] === "number" ? ` · version ${object["version"]}` : "";
  return { id: text("id") ?? text("credentialId") ?? "", name: name && name + version };
}

/** When the event was recorded, in the format of RFC 3339. */
export const writtenAt = (event: LoggedEvent) => new Date(event.created * 1000).toISOString();
