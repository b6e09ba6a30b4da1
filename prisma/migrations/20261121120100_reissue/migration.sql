-- linked_publicly: whether a superseded credential names its successor to the public. Until now each did; from now on only where the reissue asked for it.
-- expiry_explicit: whether somebody chose the expiry, which a reissue then keeps. Unknown of older rows, whose reissue goes by the template as before.
ALTER TABLE "credentials" ADD COLUMN "linked_publicly" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "expiry_explicit" BOOLEAN NOT NULL DEFAULT false;
