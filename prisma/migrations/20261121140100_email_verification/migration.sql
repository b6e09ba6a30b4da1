-- A mailed link can verify an address.
ALTER TABLE "one_time_links" DROP CONSTRAINT "one_time_links_purpose_check";
ALTER TABLE "one_time_links" ADD CHECK ("purpose" IN ('setup', 'invite', 'password_reset', 'email_verification'));
