-- How an organisation writes dates: an IANA time zone and a BCP 47 locale.
ALTER TABLE "organisations" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC', ADD COLUMN "locale" TEXT NOT NULL DEFAULT 'en-GB';
