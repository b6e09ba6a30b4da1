-- Built beside the index that it replaces, so that rows can be read meanwhile and the rule holds throughout.
CREATE UNIQUE INDEX "credentials_one_live_idx_new" ON "credentials" ("org_id", "subject_id", "template_id")
  WHERE "exclusive" AND "state" IN ('pending', 'active', 'suspended');
