-- Tells a person that a way to sign in to their account changed, and which.
ALTER TABLE "account_mails" DROP CONSTRAINT "account_mails_kind_check";
ALTER TABLE "account_mails" ADD CONSTRAINT "account_mails_kind_check" CHECK ("kind" IN ('invitation', 'password_reset', 'email_verification', 'password_changed', 'sign_in_changed'));
ALTER TABLE "account_mails" ADD COLUMN "change" TEXT;
