-- A poller takes the largest updatedAt it saw as its next updatedAfter. That is safe only if no row can appear later with an earlier time, so
-- the database stamps changes itself, after the transaction is registered where pollers see it (docs/decisions/179). Registered is a shared
-- advisory lock of the organisation; nobody takes it exclusively, so nobody waits for it.
-- Times more than an hour from the clock are left: they are written by imports, the demo and tests that set their own clock.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stamp timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1937006963, hashtext(NEW.org_id));
  stamp := date_trunc('milliseconds', clock_timestamp());
  IF NEW.updated_at BETWEEN stamp - interval '1 hour' AND stamp + interval '1 hour' THEN
    IF TG_OP = 'INSERT' AND NEW.created_at BETWEEN stamp - interval '1 hour' AND stamp + interval '1 hour' THEN
      NEW.created_at := stamp;
    END IF;
    NEW.updated_at := stamp;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER stamp_change BEFORE INSERT OR UPDATE OF updated_at ON subjects FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER stamp_change BEFORE INSERT OR UPDATE OF updated_at ON credentials FOR EACH ROW EXECUTE FUNCTION stamp_change();
