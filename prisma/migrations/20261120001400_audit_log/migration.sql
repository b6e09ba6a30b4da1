-- The audit log reads along this (server/access/list-audit.ts): millions of verifications may lie between two commands.
CREATE INDEX "events_commands_idx" ON "events" ("org_id", "id")
  WHERE "type" NOT IN ('credential.verified', 'credential.verify_refused', 'credential.viewed', 'credential.shared');
