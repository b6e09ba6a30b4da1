-- Of a row that stands for many addresses: which of 4,096 buckets their hashes fell into. From it the number of addresses is estimated.
ALTER TABLE "security_events" ADD COLUMN "buckets" BIT(4096);
