import pg from "pg";

export interface Column {
  name: string;
  /** PostgreSQL's id of its type. */
  type: number;
}

/** What pg gives to a query that sends its own messages (its Submittable). */
interface Wire {
  parse(message: { name: string; text: string }): void;
  describe(message: { type: "S"; name: string }): void;
  sync(): void;
}

/** Asks PostgreSQL for the columns that a statement returns, without running it. */
export function describeStatement(client: pg.Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = [];
    client.query({
      submit(wire: Wire) {
        wire.parse({ name: "", text });
        wire.describe({ type: "S", name: "" });
        wire.sync();
      },
      handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      // pg calls nothing more of a query that failed.
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });
}

/** Returns the types that are arrays. */
export async function arrayTypes(client: pg.Client): Promise<Set<number>> {
  const { rows } = await client.query<{ oid: number }>("SELECT oid FROM pg_type WHERE typcategory = 'A'");
  return new Set(rows.map(({ oid }) => Number(oid)));
}
