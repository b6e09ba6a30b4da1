import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { inProject } from "../launch/paths.mjs";

/**
 * Returns the SQL that brings a database to prisma/schema.prisma; "" if they agree. Ignores what the schema cannot
 * state: functions, checks, and indexes on a part of a table or on an expression.
 *
 * @param {string} databaseUrl
 * @returns {Promise<string>} SQL
 */
export async function schemaDiff(databaseUrl) {
  const schema = [{ path: "schema.prisma", content: readFileSync(inProject("prisma", "schema.prisma"), "utf8") }];
  const engine = await openEngine(schema, databaseUrl);
  const { stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files: schema, configDir: inProject("prisma") },
    to: { tag: "schemaDatamodel", files: schema },
    script: true,
    exitCode: false,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout.replace("-- This is an empty migration.", "").trim();
}

/** Prisma's schema engine as WebAssembly, over the driver, because the native build is a separate download. */
async function openEngine(schema, databaseUrl) {
  const folder = inProject("node_modules", "@prisma", "schema-engine-wasm");
  const glue = await import(join(folder, "schema_engine_bg.js"));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "schema_engine_bg.wasm")), {
    "./schema_engine_bg.js": glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = schema.map(({ path, content }) => [path, content]);
  return glue.SchemaEngine.new(
    { datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new CataloguePg({ connectionString: databaseUrl })),
  );
}

const internalChar = 18;
const text = 25;

/**
 * The adapter does not support PostgreSQL's internal type "char", which the engine requests from the catalogue. Convert
 * it to text for the adapter and to a character for the engine, which sends one query at a time.
 */
class CataloguePg extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const { performIO, queryRaw } = adapter;
    let fields = [];
    adapter.performIO = async (query) => {
      const result = await performIO.call(adapter, query);
      fields = result.fields.map(({ dataTypeID }) => dataTypeID);
      for (const field of result.fields) if (field.dataTypeID === internalChar) field.dataTypeID = text;
      return result;
    };
    adapter.queryRaw = async (query) => {
      const result = await queryRaw.call(adapter, query);
      const columnTypes = result.columnTypes.map((type, i) =>
        fields[i] === internalChar ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  }
}
