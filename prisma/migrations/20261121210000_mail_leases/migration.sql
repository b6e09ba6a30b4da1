-- AlterTable
ALTER TABLE "account_mails" ADD COLUMN     "lease_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "lease_until" TIMESTAMPTZ(3);
