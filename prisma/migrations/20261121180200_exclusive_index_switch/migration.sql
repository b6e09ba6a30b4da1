DROP INDEX "credentials_one_live_idx";
ALTER INDEX "credentials_one_live_idx_new" RENAME TO "credentials_one_live_idx";
