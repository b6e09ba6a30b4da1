-- A link can be listed and withdrawn by an id; its token's hash stays out of every answer.
ALTER TABLE "one_time_links" ADD COLUMN "id" TEXT NOT NULL;
ALTER TABLE "one_time_links" ADD CHECK ("purpose" IN ('setup', 'invite', 'password_reset'));

-- CreateIndex
CREATE UNIQUE INDEX "one_time_links_id_key" ON "one_time_links"("id");

-- CreateIndex
CREATE INDEX "one_time_links_org_id_idx" ON "one_time_links"("org_id");
