import type { Role } from "@/server/access/roles";

/** What each role may do, the most powerful role first. */
export const roleWords: Record<Role, { label: string; about: string }> = {
  owner: { label: "Owner", about: "Everything, and makes or removes other owners." },
  admin: { label: "Admin", about: "Everything but ownership: members, keys, templates, webhooks, settings." },
  issuer: { label: "Issuer", about: "Adds people; issues, suspends and revokes credentials. Templates are read only." },
  viewer: { label: "Viewer", about: "Reads everything but API keys and the audit log. Changes nothing." },
};
