import pg from "pg";

/**
 * Describes the structure of a database as text, ordered by names (columns are in the order of the table). Omits
 * owners, rights and the record of migrations.
 *
 * @param {string} databaseUrl
 * @returns {Promise<string>}
 */
export async function databaseStructure(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // PostgreSQL omits schema names that are on the search path.
    await client.query("SET search_path = public");
    const lines = async (text) => (await client.query(text)).rows.map(({ line }) => line);
    const parts = [
      "-- Written by `npm run structure` from the migrations. Do not edit.",
      ...(await lines(extensions)),
      ...(await lines(types)),
      ...(await lines(functions)),
      ...(await lines(relations)),
    ];
    return parts.map((part) => `${escapeUnprintable(part)}\n`).join("\n");
  } finally {
    await client.end();
  }
}

const escapeUnprintable = (text) =>
  text.replace(/[^\n\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);

/** Omits the parts of an extension. */
const ours = (catalogue, row, schema) => `${row}.${schema} = 'public'::regnamespace AND NOT EXISTS (
  SELECT FROM pg_depend WHERE classid = '${catalogue}'::regclass AND objid = ${row}.oid AND deptype = 'e')`;

const extensions = `SELECT format('EXTENSION %I', extname) AS line FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname COLLATE "C"`;

const types = `
  SELECT format('TYPE %I%s', typname, CASE typtype
    WHEN 'e' THEN ' AS ENUM (' || (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid) || ')'
    WHEN 'd' THEN ' AS DOMAIN ' || format_type(typbasetype, typtypmod) || coalesce((SELECT string_agg(' ' || pg_get_constraintdef(oid), '' ORDER BY conname COLLATE "C") FROM pg_constraint WHERE contypid = t.oid), '')
    ELSE ' (' || typtype::text || ')' END) AS line
  FROM pg_type t WHERE ${ours("pg_type", "t", "typnamespace")} AND typtype <> 'b' AND (typrelid = 0 OR (SELECT relkind FROM pg_class WHERE oid = typrelid) = 'c')
  ORDER BY typname COLLATE "C"`;

const comment = (catalogue, oid, sub = 0) =>
  `coalesce(' -- ' || (SELECT description FROM pg_description WHERE classoid = '${catalogue}'::regclass AND objoid = ${oid} AND objsubid = ${sub}), '')`;

const functions = `
  SELECT rtrim(pg_get_functiondef(p.oid), E'\\n') || ${comment("pg_proc", "p.oid")} AS line
  FROM pg_proc p WHERE ${ours("pg_proc", "p", "pronamespace")} AND prokind IN ('f', 'p')
  ORDER BY proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C"`;

const column = `
  SELECT string_agg(E'\\n  ' || quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
    || CASE WHEN attcollation <> t.typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END
    || CASE WHEN attstorage <> t.typstorage THEN ' STORAGE ' || attstorage::text ELSE '' END
    || CASE WHEN attcompression <> '' THEN ' COMPRESSION ' || attcompression::text ELSE '' END
    || CASE attgenerated WHEN '' THEN coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
       WHEN 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED' ELSE ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ')' END
    || CASE attidentity WHEN '' THEN '' ELSE ' IDENTITY ' || attidentity::text END
    || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce(' STATISTICS ' || attstattarget, '') || coalesce(' ' || attoptions::text, '')
    || ${comment("pg_class", "c.oid", "attnum")}, '' ORDER BY attnum)
  FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped`;

/** Each on a line of its own below the columns. */
const below = (text) =>
  `coalesce((SELECT string_agg(E'\\n  ' || line, '' ORDER BY line COLLATE "C") FROM (${text}) AS below), '')`;

// PostgreSQL also records NOT NULL as a constraint. The columns show it already, unless it has a name of its own.
const constraints = `
  SELECT format('CONSTRAINT %I %s%s', conname, pg_get_constraintdef(k.oid), ${comment("pg_constraint", "k.oid")}) AS line FROM pg_constraint k
  WHERE conrelid = c.oid AND (contype <> 'n' OR NOT convalidated OR conname <> format('%s_%s_not_null', c.relname, (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = conkey[1])))`;

const indexes = `
  SELECT pg_get_indexdef(indexrelid) || CASE WHEN indisvalid THEN '' ELSE ' INVALID' END || CASE WHEN indisreplident THEN ' REPLICA IDENTITY' ELSE '' END || ${comment("pg_class", "indexrelid")} AS line
  FROM pg_index WHERE indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))`;

const triggers = `SELECT pg_get_triggerdef(t.oid) || CASE tgenabled WHEN 'O' THEN '' ELSE ' ENABLED ' || tgenabled::text END AS line FROM pg_trigger t WHERE tgrelid = c.oid AND NOT tgisinternal`;

const policies = `
  SELECT format('POLICY %I %s %s %s USING (%s) WITH CHECK (%s)', polname, polpermissive, polcmd, polroles::regrole[], pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) AS line
  FROM pg_policy WHERE polrelid = c.oid`;

const statistics = `SELECT pg_get_statisticsobjdef(oid) AS line FROM pg_statistic_ext WHERE stxrelid = c.oid`;

const rules = `SELECT pg_get_ruledef(oid) AS line FROM pg_rewrite WHERE ev_class = c.oid AND rulename <> '_RETURN'`;

const kinds = { r: "TABLE", p: "TABLE", f: "FOREIGN TABLE", S: "SEQUENCE", v: "VIEW", m: "MATERIALIZED VIEW" };

const relations = `
  SELECT CASE relkind ${Object.entries(kinds)
    .map(([kind, name]) => `WHEN '${kind}' THEN '${name}'`)
    .join(" ")} END || ' ' || quote_ident(relname)
    || CASE WHEN relpersistence = 'u' THEN ' UNLOGGED' ELSE '' END
    || coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '')
    || coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', '')
    || CASE WHEN relrowsecurity THEN ' ROW LEVEL SECURITY' ELSE '' END || CASE WHEN relforcerowsecurity THEN ' FORCED' ELSE '' END
    || ${comment("pg_class", "c.oid")}
    || CASE WHEN relkind = 'S' THEN (
      SELECT format(' AS %s START %s INCREMENT %s MIN %s MAX %s CACHE %s%s', format_type(seqtypid, NULL), seqstart, seqincrement, seqmin, seqmax, seqcache, CASE WHEN seqcycle THEN ' CYCLE' ELSE '' END)
      FROM pg_sequence WHERE seqrelid = c.oid)
      || coalesce((SELECT format(' OWNED BY %s.%I', refobjid::regclass, attname) FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
        WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')), '')
      ELSE coalesce((${column}), '') END
    || CASE WHEN relkind IN ('v', 'm') THEN E'\\n' || pg_get_viewdef(c.oid) ELSE '' END
    || ${[constraints, indexes, triggers, policies, statistics, rules].map(below).join(" || ")} AS line
  FROM pg_class c WHERE ${ours("pg_class", "c", "relnamespace")} AND relkind IN (${Object.keys(kinds)
    .map((kind) => `'${kind}'`)
    .join(", ")}) AND relname <> '_prisma_migrations'
    -- A partition is as its table, and there are others each week.
    AND NOT relispartition
  ORDER BY relname COLLATE "C"`;
