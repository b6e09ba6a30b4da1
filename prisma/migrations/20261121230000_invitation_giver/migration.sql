-- Who made a link. An invitation ends with the authority of its inviter; for those that wait, the audit log knows who that was.
ALTER TABLE "one_time_links" ADD COLUMN "created_by" JSONB;

UPDATE "one_time_links" AS l SET "created_by" = a."actor"
FROM "audit_entries" AS a
WHERE l."purpose" = 'invite' AND l."used_at" IS NULL AND a."org_id" = l."org_id" AND a."action" = 'member.invited' AND a."target_id" = l."id";
