-- Tells a person that their password was changed. After 20261121140000, which makes the table.
ALTER TABLE "account_mails" DROP CONSTRAINT "account_mails_kind_check";
ALTER TABLE "account_mails" ADD CONSTRAINT "account_mails_kind_check" CHECK ("kind" IN ('invitation', 'password_reset', 'email_verification', 'password_changed'));
