-- AlterTable: whether a subject may hold no other live credential of the template. True for all today; templates that may be issued
-- repeatedly set it to false.
ALTER TABLE "credentials" ADD COLUMN "exclusive" BOOLEAN NOT NULL DEFAULT true;
