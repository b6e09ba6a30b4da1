-- As before: deep for objects, arrays and scalars replaced, null removes a key. In one pass over what was sent: key by key,
-- each step copied the whole object, and 64 KiB of short keys took a second and more.
CREATE OR REPLACE FUNCTION merge_attributes(stored JSONB, sent JSONB) RETURNS JSONB
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
  AS $$
  BEGIN
    RETURN (
      SELECT (stored - coalesce(array_agg(key) FILTER (WHERE value = 'null'), '{}'))
        || coalesce(jsonb_object_agg(key, CASE
             WHEN jsonb_typeof(value) <> 'object' THEN value
             ELSE merge_attributes(CASE WHEN jsonb_typeof(stored -> key) = 'object' THEN stored -> key ELSE '{}' END, value)
           END) FILTER (WHERE value <> 'null'), '{}')
      FROM jsonb_each(sent)
    );
  END
  $$;
