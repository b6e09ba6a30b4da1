import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseStructure } from "./database-structure.mjs";
import { migrate } from "./migrate.mjs";
import { structureFile } from "./write-structure.mjs";

async function ownDatabase() {
  const admin = new pg.Client(process.env.DATABASE_URL);
  await admin.connect();
  const name = `structure_${randomUUID().replaceAll("-", "")}`;
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  return Object.assign(new URL(process.env.DATABASE_URL), { pathname: `/${name}` }).href;
}

test("prisma/structure.txt describes the migrations' structure; if it does not, run: npm run structure", async () => {
  const url = await ownDatabase();
  await migrate(url);
  expect(
    await databaseStructure(url),
    "prisma/structure.txt is not what the migrations make. Run: npm run structure",
  ).toBe(readFileSync(structureFile, "utf8"));
});

test("the text contains each kind of structure", async () => {
  const url = await ownDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    CREATE TYPE mood AS ENUM ('glad', 'sad');
    CREATE DOMAIN short AS text CHECK (char_length(VALUE) < 9);
    CREATE TABLE things (
      id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name short COLLATE "C" NOT NULL DEFAULT 'x', mood mood, twice int GENERATED ALWAYS AS (id * 2) STORED,
      CONSTRAINT things_unique UNIQUE (name, mood)) WITH (fillfactor = 70);
    COMMENT ON TABLE things IS 'what there is';
    COMMENT ON COLUMN things.name IS E'tab\\tbed';
    CREATE INDEX things_glad ON things (mood) WHERE mood = 'glad';
    CREATE TABLE parts (at int, thing int REFERENCES things ON DELETE CASCADE) PARTITION BY RANGE (at);
    CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (1) TO (10);
    CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER z BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION nothing();
    CREATE TRIGGER a BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION nothing();
    ALTER TABLE things DISABLE TRIGGER z;
    ALTER TABLE things ADD CONSTRAINT positive CHECK (id > 0) NOT VALID;
    ALTER TABLE things ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON things FOR SELECT USING (id = 1);
    CREATE STATISTICS name_and_mood ON name, mood FROM things;
    CREATE VIEW glad AS SELECT id FROM things WHERE mood = 'glad';
    INSERT INTO things (mood) VALUES (NULL), (NULL);
    ALTER TABLE things ADD COLUMN dropped int;
    ALTER TABLE things DROP COLUMN dropped`);
  await client.query("CREATE UNIQUE INDEX CONCURRENTLY things_names ON things (name)").catch(() => {});
  await client.end();
  expect(await databaseStructure(url)).toMatchInlineSnapshot(`
    "-- Written by \`npm run structure\` from the migrations. Do not edit.

    TYPE mood AS ENUM ('glad', 'sad')

    TYPE short AS DOMAIN text CHECK ((char_length(VALUE) < 9))

    CREATE OR REPLACE FUNCTION public.nothing()
     RETURNS trigger
     LANGUAGE plpgsql
    AS $function$BEGIN RETURN NEW; END$function$

    VIEW glad
      id integer
     SELECT id
       FROM things
      WHERE (mood = 'glad'::mood);

    TABLE parts PARTITION BY RANGE (at)
      at integer
      thing integer
      CONSTRAINT parts_thing_fkey FOREIGN KEY (thing) REFERENCES things(id) ON DELETE CASCADE

    TABLE things WITH (fillfactor=70) ROW LEVEL SECURITY -- what there is
      id integer IDENTITY a NOT NULL
      name short COLLATE "C" DEFAULT 'x'::text NOT NULL -- tab\\u{9}bed
      mood mood
      twice integer GENERATED ALWAYS AS ((id * 2)) STORED
      CONSTRAINT positive CHECK ((id > 0)) NOT VALID
      CONSTRAINT things_pkey PRIMARY KEY (id)
      CONSTRAINT things_unique UNIQUE (name, mood)
      CREATE INDEX things_glad ON public.things USING btree (mood) WHERE (mood = 'glad'::mood)
      CREATE UNIQUE INDEX things_names ON public.things USING btree (name) INVALID
      CREATE TRIGGER a BEFORE INSERT ON public.things FOR EACH ROW EXECUTE FUNCTION nothing()
      CREATE TRIGGER z BEFORE INSERT ON public.things FOR EACH ROW EXECUTE FUNCTION nothing() ENABLED D
      POLICY own t r {-} USING ((id = 1)) WITH CHECK ()
      CREATE STATISTICS public.name_and_mood ON name, mood FROM things

    SEQUENCE things_id_seq AS integer START 1 INCREMENT 1 MIN 1 MAX 2147483647 CACHE 1 OWNED BY things.id
    "
  `);
});
