-- Fingerprints of the master secret in use and, while values are re-encrypted, of the one before. One row, written at the first start.
CREATE TABLE "master_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,
    "previous" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "master_secret_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "master_secret_one_row" CHECK ("id" = 1)
);
