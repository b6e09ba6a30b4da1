-- CreateTable
CREATE TABLE "notifications" (
    "org_id" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("org_id","dedupe_key")
);

-- CreateIndex
CREATE INDEX "notifications_org_id_user_id_idx" ON "notifications"("org_id", "user_id");

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_org_id_user_id_fkey" FOREIGN KEY ("org_id", "user_id") REFERENCES "memberships"("org_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows cannot be said in schema.prisma.

ALTER TABLE "notifications" ADD CHECK ("state" IN ('pending', 'sent', 'failed'));
ALTER TABLE "notifications" ADD CHECK ("kind" IN ('endpoint_failing', 'endpoint_last_warning', 'endpoint_disabled'));

CREATE INDEX "notifications_due_idx" ON "notifications"("next_attempt_at") WHERE "state" = 'pending';
