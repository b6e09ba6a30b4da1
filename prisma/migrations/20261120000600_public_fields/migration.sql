-- The fields of the design that anyone may see, so that a verification need not open the design with its images.
ALTER TABLE "template_versions" ADD COLUMN "public_fields" JSONB;
