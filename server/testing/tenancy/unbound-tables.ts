import {
  loadModule,
  parseSync,
  type DeleteStmt,
  type InsertStmt,
  type JoinExpr,
  type MergeStmt,
  type Node,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from "libpg-query";

/** The columns of each table, in their order. */
export type Catalogue = Map<string, string[]>;

/**
 * A column of one row source of a statement. It is bound if its value can only be one that the caller gave or one from
 * a bound row.
 */
interface Column {
  bound: boolean;
  /** The table column that it comes from, such as `webhook_endpoints.id`. */
  name?: string;
  /** The org_id of the column's row. For a column of a subquery: whether org_id was bound there. */
  row?: Column;
}

/** A row source: a table, a CTE, a subquery or a function under the name that it has in the statement. */
interface Source {
  name: string;
  columns: Map<string, Column>;
  /** For a function or a system view: represents the columns that are not known. */
  others?: Column;
  /** Set for a table of the catalogue. */
  table?: string;
}

interface Output {
  name: string;
  bound: boolean;
  /** The column of a bound row whose value it returns. */
  of?: string | undefined;
}

interface Scope {
  sources: Source[];
  outer: Scope | undefined;
  ctes: Map<string, Output[]>;
}

/** Returns the columns that are bound if the condition holds. */
type Condition = () => Column[];

/** What a statement may rely on without naming org_id. */
export interface Given {
  /**
   * Tables whose org_id counts as bound, because the statement finds the organisation by them or reads them across all
   * organisations.
   */
  tables: readonly string[];
  /** Columns that find rows of the same organisation if they are compared with the named column of a bound row. */
  references: Readonly<Record<string, string>>;
}

/** Called with each tenant table whose org_id is not bound. */
type Report = (table: string) => void;

const orgId = "org_id";

await loadModule();

/**
 * Returns the tables with an org_id that a statement names without binding it. A column is bound by equality with a
 * parameter, with a bound column, or with a member of a set of either. A condition binds only if it holds for every
 * row: all parts of an AND, what the parts of an OR have in common, and only the nullable side of an outer join. A
 * subquery sees what the query around it binds, but binds nothing there, except as `IN`.
 *
 * A row that is found by its ctid is bound if the row that the ctid was read from is bound.
 *
 * @example unboundTables("SELECT 1 FROM subjects WHERE id = $1", catalogue) // ["subjects"]
 */
export function unboundTables(
  text: string,
  catalogue: Catalogue,
  given: Given = { tables: [], references: {} },
): string[] {
  const unbound = new Set<string>();
  for (const { stmt } of parseSync(text).stmts ?? [])
    new Reader(catalogue, given).statement(stmt!, undefined, new Map(), (table) => unbound.add(table));
  return [...unbound].toSorted();
}

class Reader {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly given: Given,
  ) {}

  /** Checks a statement and returns its columns. Without `report`, only determines what is bound. */
  statement(node: Node, outer: Scope | undefined, ctes: Scope["ctes"], report?: Report): Output[] {
    if ("SelectStmt" in node) return this.select(node.SelectStmt, outer, ctes, report);
    if ("InsertStmt" in node) return this.insert(node.InsertStmt, outer, ctes, report);
    if ("UpdateStmt" in node)
      return this.change(node.UpdateStmt, node.UpdateStmt.fromClause, node.UpdateStmt.whereClause, outer, ctes, report);
    if ("DeleteStmt" in node)
      return this.change(
        node.DeleteStmt,
        node.DeleteStmt.usingClause,
        node.DeleteStmt.whereClause,
        outer,
        ctes,
        report,
      );
    if ("MergeStmt" in node)
      return this.change(
        node.MergeStmt,
        [node.MergeStmt.sourceRelation!],
        node.MergeStmt.joinCondition,
        outer,
        ctes,
        report,
      );
    // ANALYZE and VACUUM neither return nor change rows. Any other statement that names a table, such as TRUNCATE,
    // affects all of it.
    if (!("VacuumStmt" in node))
      for (const name of tablesIn(node))
        if (this.catalogue.get(name)?.includes(orgId) && !this.given.tables.includes(name)) report?.(name);
    return [];
  }

  private select(select: SelectStmt, outer: Scope | undefined, around: Scope["ctes"], report?: Report): Output[] {
    const ctes = this.withClause(select.withClause, outer, around, report);
    if (select.larg && select.rarg) {
      const right = this.select(select.rarg, outer, ctes, report);
      return this.select(select.larg, outer, ctes, report).map(({ name, bound, of }, i) => ({
        name,
        bound: bound && right[i]?.bound === true,
        of: of === right[i]?.of ? of : undefined,
      }));
    }
    const scope: Scope = { sources: [], outer, ctes };
    const { fromClause, whereClause, ...rest } = select;
    if (select.valuesLists) {
      this.sublinks(select.valuesLists, scope, report);
      const rows = select.valuesLists.map((row) => ("List" in row ? (row.List.items ?? []) : []));
      return rows[0]!.map((_, i) => ({
        name: `column${i + 1}`,
        bound: rows.every((row) => this.isBound(row[i]!, scope)),
      }));
    }
    this.bind(scope, fromClause ?? [], whereClause, report);
    this.sublinks({ ...rest, withClause: undefined }, scope, report);
    return this.outputs(select.targetList, scope);
  }

  private insert(insert: InsertStmt, outer: Scope | undefined, around: Scope["ctes"], report?: Report): Output[] {
    const ctes = this.withClause(insert.withClause, outer, around, report);
    const table = insert.relation!.relname!;
    const target = this.source(insert.relation!, { sources: [], outer, ctes: new Map() });
    const values = insert.selectStmt ? this.statement(insert.selectStmt, outer, ctes, report) : [];
    const names =
      insert.cols?.map((column) => ("ResTarget" in column ? column.ResTarget.name! : "")) ??
      this.catalogue.get(table) ??
      [];
    names.forEach((name, i) => Object.assign(target.columns.get(name) ?? {}, { bound: values[i]?.bound === true }));
    const scope: Scope = { sources: [target], outer, ctes };
    const conflict = insert.onConflictClause;
    const updates = conflict?.action === "ONCONFLICT_UPDATE";
    const byOrganisation = conflict?.infer?.indexElems?.some(
      (element) => "IndexElem" in element && element.IndexElem.name === orgId,
    );
    if (
      target.columns.get(orgId) &&
      !this.given.tables.includes(table) &&
      (!target.columns.get(orgId)!.bound || (updates && !byOrganisation))
    )
      report?.(table);
    this.sublinks(conflict, scope, report);
    this.sublinks(insert.returningClause, scope, report);
    return this.outputs(insert.returningClause?.exprs, scope);
  }

  private change(
    change: UpdateStmt | DeleteStmt | MergeStmt,
    from: Node[] | undefined,
    where: Node | undefined,
    outer: Scope | undefined,
    around: Scope["ctes"],
    report?: Report,
  ): Output[] {
    const ctes = this.withClause(change.withClause, outer, around, report);
    const scope: Scope = { sources: [], outer, ctes };
    this.bind(scope, [{ RangeVar: change.relation! }, ...(from ?? [])], where, report);
    if ("targetList" in change) this.sublinks(change.targetList, scope, report);
    if ("mergeWhenClauses" in change) this.sublinks(change.mergeWhenClauses, scope, report);
    this.sublinks(change.returningClause, scope, report);
    return this.outputs(change.returningClause?.exprs, scope);
  }

  private withClause(
    clause: WithClause | undefined,
    outer: Scope | undefined,
    around: Scope["ctes"],
    report?: Report,
  ): Scope["ctes"] {
    const ctes = new Map(around);
    for (const node of clause?.ctes ?? []) {
      if (!("CommonTableExpr" in node)) continue;
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
      // The columns of a recursive CTE come from its first part; its repeated part is then checked with them.
      const first = clause?.recursive && "SelectStmt" in ctequery! && ctequery.SelectStmt.larg;
      if (first) ctes.set(ctename!, renamed(this.select(first, outer, ctes), aliascolnames));
      ctes.set(ctename!, renamed(this.statement(ctequery!, outer, ctes, report), aliascolnames));
    }
    return ctes;
  }

  /**
   * Adds the row sources of a FROM to the scope, finds out which of their columns the conditions bind, and reports the
   * tables that they leave unbound.
   */
  private bind(scope: Scope, from: Node[], where: Node | undefined, report?: Report): void {
    const conditions: Condition[] = [];
    const subqueries: ((report?: Report) => void)[] = [];
    for (const node of from) this.from(node, scope, conditions, subqueries);
    if (where) conditions.push(this.condition(where, scope, scope.sources));
    for (let before = -1, now = 0; before !== now; ) {
      before = now;
      for (const read of subqueries) read();
      for (const condition of conditions) for (const column of condition()) column.bound = true;
      now = scope.sources
        .flatMap(({ columns }) => [...columns.values()])
        .reduce((n, { bound, row }) => n + Number(bound) + Number(row?.bound ?? false), 0);
    }
    if (!report) return;
    for (const read of subqueries) read(report);
    this.sublinks([from.map(withoutSubqueries), where], scope, report);
    for (const { table, columns } of scope.sources) if (table && columns.get(orgId)?.bound === false) report(table);
  }

  private from(node: Node, scope: Scope, conditions: Condition[], subqueries: ((report?: Report) => void)[]): Source[] {
    if ("JoinExpr" in node) return this.join(node.JoinExpr, scope, conditions, subqueries);
    const source = "RangeVar" in node ? this.source(node.RangeVar, scope) : this.computed(node, scope, subqueries);
    scope.sources.push(source);
    return [source];
  }

  private join(
    join: JoinExpr,
    scope: Scope,
    conditions: Condition[],
    subqueries: ((report?: Report) => void)[],
  ): Source[] {
    const left = this.from(join.larg!, scope, conditions, subqueries);
    const right = this.from(join.rarg!, scope, conditions, subqueries);
    const both = [...left, ...right];
    const kind = join.jointype;
    const narrowed = kind === "JOIN_LEFT" ? right : kind === "JOIN_RIGHT" ? left : kind === "JOIN_FULL" ? [] : both;
    if (join.quals) conditions.push(this.condition(join.quals, scope, narrowed));
    for (const name of (join.usingClause ?? []).map(stringOf)) {
      conditions.push(() => {
        const same = both.flatMap(({ columns }) => columns.get(name) ?? []);
        return same.some(({ bound }) => bound)
          ? same.filter((column) => narrowed.some(({ columns }) => columns.get(name) === column))
          : [];
      });
    }
    return both;
  }

  /** A table or a CTE. */
  private source(
    {
      relname,
      schemaname,
      alias,
    }: { relname?: string; schemaname?: string; alias?: { aliasname?: string; colnames?: Node[] } },
    scope: Scope,
  ): Source {
    const name = alias?.aliasname ?? relname!;
    const outputs = schemaname ? undefined : scope.ctes.get(relname!);
    if (outputs) return { name, columns: columnsOf(renamed(outputs, alias?.colnames)) };
    const names = this.catalogue.get(relname!);
    if (!names) return { name, columns: new Map(), others: { bound: false } };
    const row = { bound: this.given.tables.includes(relname!) };
    const key = relname === "organisations" ? "id" : orgId;
    const columns = new Map<string, Column>(
      names.map((column) => [column, column === key ? row : { bound: false, name: `${relname}.${column}`, row }]),
    );
    return { name, table: relname!, columns: names.includes(orgId) ? columns.set("ctid", row) : columns };
  }

  /** A subquery or a function. Its columns are bound if the values that they are computed from are bound. */
  private computed(node: Node, scope: Scope, subqueries: ((report?: Report) => void)[]): Source {
    const source: Source = { name: "", columns: new Map() };
    const update = (outputs: Output[]) => {
      for (const output of outputs) {
        const column = source.columns.get(output.name);
        if (column && (column.bound || !output.bound) && (column.name || !output.of)) continue;
        if (column) Object.assign(column, { ...columnOfOutput(output), bound: column.bound || output.bound });
        else source.columns.set(output.name, columnOfOutput(output));
      }
    };
    if ("RangeSubselect" in node) {
      const { alias, subquery, lateral } = node.RangeSubselect;
      source.name = alias?.aliasname ?? "";
      subqueries.push((report) =>
        update(renamed(this.statement(subquery!, lateral ? scope : scope.outer, scope.ctes, report), alias?.colnames)),
      );
    } else if ("RangeFunction" in node) {
      const { alias, coldeflist, functions } = node.RangeFunction;
      source.name = alias?.aliasname ?? "";
      source.others = { bound: false };
      const names = [
        ...(alias?.colnames ?? []).map(stringOf),
        ...(coldeflist ?? []).map((column) => ("ColumnDef" in column ? column.ColumnDef.colname! : "")),
      ];
      subqueries.push(() => {
        const bound = this.isBound({ List: { items: functions ?? [] } }, scope);
        update((names.length > 0 ? names : [source.name]).map((name) => ({ name, bound })));
        source.others!.bound ||= bound;
      });
    }
    return source;
  }

  private condition(node: Node, scope: Scope, narrowed: Source[]): Condition {
    return () => {
      const mine = new Set(narrowed.flatMap(({ columns }) => [...columns.values()]));
      return this.consequences(node, scope).filter((column) => mine.has(column));
    };
  }

  /** The columns that are bound in every row for which `node` holds. */
  private consequences(node: Node, scope: Scope): Column[] {
    if ("BoolExpr" in node) {
      const parts = (node.BoolExpr.args ?? []).map((part) => this.consequences(part, scope));
      if (node.BoolExpr.boolop === "AND_EXPR") return parts.flat();
      return node.BoolExpr.boolop === "OR_EXPR"
        ? parts[0]!.filter((column) => parts.every((part) => part.includes(column)))
        : [];
    }
    if ("SubLink" in node && node.SubLink.subLinkType === "ANY_SUBLINK" && !node.SubLink.operName) {
      const outputs = this.statement(node.SubLink.subselect!, scope, scope.ctes);
      return itemsOf(node.SubLink.testexpr!).flatMap((item, i) =>
        outputs[i]?.bound ? (this.columnOf(item, scope) ?? []) : [],
      );
    }
    if (!("A_Expr" in node) || !node.A_Expr.lexpr || !node.A_Expr.rexpr || stringOf(node.A_Expr.name![0]!) !== "=")
      return [];
    const { kind, lexpr, rexpr } = node.A_Expr;
    if (kind === "AEXPR_OP_ANY") return this.isBound(rexpr, scope) ? (this.columnOf(lexpr, scope) ?? []) : [];
    if (kind === "AEXPR_IN")
      return itemsOf(rexpr).every((item) => this.isBound(item, scope)) ? (this.columnOf(lexpr, scope) ?? []) : [];
    if (kind !== "AEXPR_OP" && kind !== "AEXPR_NOT_DISTINCT") return [];
    const right = itemsOf(rexpr);
    return itemsOf(lexpr).flatMap((left, i) =>
      right[i] ? [...this.boundBy(left, right[i], scope), ...this.boundBy(right[i], left, scope)] : [],
    );
  }

  /** Returns what is bound in `node` if it equals `other`. */
  private boundBy(node: Node, other: Node, scope: Scope): Column[] {
    const [column] = this.columnOf(node, scope) ?? [];
    if (!column) return [];
    const [referred] = this.columnOf(other, scope) ?? [];
    const refers =
      column.row &&
      referred?.row?.bound &&
      column.name !== undefined &&
      this.given.references[column.name] === referred.name;
    return [...(this.isBound(other, scope) ? [column] : []), ...(refers ? [column.row!] : [])];
  }

  /**
   * Whether an expression yields only given values: it contains a parameter or a bound column, and no unbound column.
   */
  private isBound(node: Node, scope: Scope): boolean {
    let given = false;
    let other = false;
    visit(node, (kind, value) => {
      if (kind === "ParamRef") given = true;
      if (kind === "ColumnRef") {
        const bound = this.columnOf({ ColumnRef: value } as Node, scope)?.[0]?.bound === true;
        given ||= bound;
        other ||= !bound;
      }
      if (kind !== "SubLink") return true;
      const outputs = this.statement((value as { subselect: Node }).subselect, scope, scope.ctes);
      const bound = outputs.length > 0 && outputs.every((output) => output.bound);
      given ||= bound;
      other ||= !bound;
      return false;
    });
    return given && !other;
  }

  private columnOf(node: Node, scope: Scope): Column[] | undefined {
    if ("TypeCast" in node) return this.columnOf(node.TypeCast.arg!, scope);
    if (!("ColumnRef" in node)) return undefined;
    const [name, source] = (node.ColumnRef.fields ?? []).map(stringOf).toReversed();
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const sources = at.sources.filter((each) => source === undefined || each.name === source);
      const found =
        sources.map(({ columns }) => columns.get(name!)).find(Boolean) ??
        (source === undefined ? undefined : sources[0]?.others);
      if (found) return [found];
      if (source !== undefined && sources.length > 0) return undefined;
    }
    return undefined;
  }

  private outputs(targets: Node[] | undefined, scope: Scope): Output[] {
    return (targets ?? []).flatMap((target) => {
      if (!("ResTarget" in target) || !target.ResTarget.val) return [];
      const { name, val } = target.ResTarget;
      const fields = "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
      if (fields.some((field) => "A_Star" in field)) {
        const of = fields.length > 1 ? stringOf(fields.at(-2)!) : undefined;
        const sources = scope.sources.filter((source) => of === undefined || source.name === of);
        return sources.flatMap(({ columns, table }) =>
          [...columns]
            .filter(([column]) => !table || column !== "ctid")
            .map(([column, each]) => outputOf(column, each)),
        );
      }
      const [column] = this.columnOf(val, scope) ?? [];
      const output = {
        name: name ?? (fields.length > 0 ? stringOf(fields.at(-1)!) : ""),
        bound: this.isBound(val, scope),
      };
      return [column ? { ...outputOf(output.name, column), ...output } : output];
    });
  }

  /** Checks the subqueries within expressions. */
  private sublinks(expressions: unknown, scope: Scope, report?: Report): void {
    if (!report) return;
    visit(expressions, (kind, value) => {
      if (kind !== "SubLink") return true;
      const { subselect, testexpr } = value as { subselect: Node; testexpr?: Node };
      this.statement(subselect, scope, scope.ctes, report);
      this.sublinks(testexpr, scope, report);
      return false;
    });
  }
}

/** Calls `see` with the kind and content of each node, and visits the node's content if `see` returns true. */
function visit(value: unknown, see: (kind: string, value: unknown) => boolean): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see);
  else if (typeof value === "object" && value !== null)
    for (const [kind, content] of Object.entries(value)) if (see(kind, content)) visit(content, see);
}

function tablesIn(node: Node): string[] {
  const found: string[] = [];
  visit(node, (_, value) => {
    if (typeof value === "object" && value !== null && "relname" in value) found.push(String(value.relname));
    return true;
  });
  return found;
}

/** Returns a FROM item without its subqueries, which are checked as row sources. */
function withoutSubqueries(node: Node): Node[] {
  if ("JoinExpr" in node)
    return [
      ...withoutSubqueries(node.JoinExpr.larg!),
      ...withoutSubqueries(node.JoinExpr.rarg!),
      ...(node.JoinExpr.quals ? [node.JoinExpr.quals] : []),
    ];
  return "RangeSubselect" in node ? [] : [node];
}

/** Returns the items of a row or a list; any other expression is its own only item. */
function itemsOf(node: Node): Node[] {
  if ("RowExpr" in node) return node.RowExpr.args ?? [];
  return "List" in node ? (node.List.items ?? []) : [node];
}

const stringOf = (node: Node): string => ("String" in node ? (node.String.sval ?? "") : "");
const renamed = (outputs: Output[], names: Node[] | undefined): Output[] =>
  outputs.map((output, i) => (names?.[i] ? { ...output, name: stringOf(names[i]) } : output));
const outputOf = (name: string, column: Column): Output => ({
  name,
  bound: column.bound,
  of: column.row?.bound ? column.name : undefined,
});
const columnOfOutput = ({ bound, of }: Output): Column => (of ? { bound, name: of, row: { bound: true } } : { bound });
const columnsOf = (outputs: Output[]): Map<string, Column> =>
  new Map(outputs.map((output) => [output.name, columnOfOutput(output)]));
