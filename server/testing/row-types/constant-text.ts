import ts from "typescript-api";

/** Most texts that one expression can have: a statement with four choices has 16. */
const mostTexts = 16;

/** Most steps for one statement: texts that take more are not worth the time. */
const mostSteps = 5_000;

/** What the parameters of a called function stand for. */
type Scope = Map<ts.Symbol, { node: ts.Expression; scope: Scope } | string[]>;

/**
 * Finds the texts that an expression can have, from the source alone: strings, templates, constants of any module,
 * choices (each of them), calls of functions that return such texts, and joined lists of them. Returns undefined if a
 * part is only known at run time.
 */
export class ConstantTexts {
  #depth = 0;
  #steps = 0;

  constructor(private readonly checker: ts.TypeChecker) {}

  of(node: ts.Expression, scope: Scope = new Map()): string[] | undefined {
    if (this.#depth === 0) this.#steps = 0;
    if (this.#depth > 60 || ++this.#steps > mostSteps) return undefined;
    this.#depth++;
    try {
      const found = this.#of(node, scope);
      return found && [...new Set(found)].slice(0, mostTexts);
    } finally {
      this.#depth--;
    }
  }

  #of(node: ts.Expression, scope: Scope): string[] | undefined {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [node.text.replaceAll("_", "")];
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node)
    )
      return this.of(node.expression, scope);
    if (ts.isTemplateExpression(node))
      return this.#joined(
        [node.head.text, ...node.templateSpans.flatMap((span) => [span.expression, span.literal.text])],
        scope,
      );
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && !this.#isNumber(node))
      return this.#joined([node.left, node.right], scope);
    if (ts.isBinaryExpression(node) && this.#isChoice(node)) return this.#either([node.left, node.right], scope, true);
    if (ts.isConditionalExpression(node)) return this.#either([node.whenTrue, node.whenFalse], scope);
    const found =
      ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
        ? this.#named(node, scope)
        : ts.isCallExpression(node)
          ? this.#called(node, scope)
          : undefined;
    return found ?? this.#byType(node);
  }

  #isNumber = (node: ts.Expression) => (this.checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike) !== 0;

  #isChoice = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
    [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken].includes(
      kind,
    );

  /** All combinations of the texts of the parts. */
  #joined(parts: (ts.Expression | string)[], scope: Scope): string[] | undefined {
    let texts = [""];
    for (const part of parts) {
      const found = typeof part === "string" ? [part] : this.of(part, scope);
      if (!found) return undefined;
      texts = texts.flatMap((text) => found.map((each) => text + each)).slice(0, mostTexts);
    }
    return texts;
  }

  #either(nodes: ts.Expression[], scope: Scope, isLoose = false): string[] | undefined {
    const found = nodes.map((node) => this.of(node, scope));
    const known = found.flatMap((each) => each ?? []);
    return known.length > 0 && (isLoose || !found.includes(undefined)) ? known : undefined;
  }

  /** The texts of a constant, a parameter, or a member of a constant object. */
  #named(
    node: ts.Identifier | ts.PropertyAccessExpression | ts.ElementAccessExpression,
    scope: Scope,
  ): string[] | undefined {
    if (ts.isElementAccessExpression(node)) {
      const owner = this.#objectOf(node.expression, scope);
      const keys = this.of(node.argumentExpression, scope);
      return owner && this.#members(owner.node, owner.scope, keys);
    }
    if (ts.isPropertyAccessExpression(node)) {
      const owner = this.#objectOf(node.expression, scope);
      if (owner) return this.#members(owner.node, owner.scope, [node.name.text]);
    }
    const symbol = this.#symbolOf(node);
    if (!symbol) return undefined;
    const bound = scope.get(symbol);
    if (bound) return Array.isArray(bound) ? bound : this.of(bound.node, bound.scope);
    const initializer = this.#initializerOf(symbol);
    return initializer && this.of(initializer, scope);
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  #initializerOf(symbol: ts.Symbol): ts.Expression | undefined {
    const declared = symbol.valueDeclaration;
    return declared && (ts.isVariableDeclaration(declared) || ts.isPropertyAssignment(declared))
      ? declared.initializer
      : undefined;
  }

  #objectOf(node: ts.Expression, scope: Scope): { node: ts.ObjectLiteralExpression; scope: Scope } | undefined {
    let inner = node;
    let within = scope;
    for (let step = 0; step < 10; step++) {
      if (ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner) || ts.isParenthesizedExpression(inner))
        inner = inner.expression;
      else if (ts.isObjectLiteralExpression(inner)) return { node: inner, scope: within };
      else if (ts.isIdentifier(inner)) {
        const symbol = this.#symbolOf(inner);
        const bound = symbol && within.get(symbol);
        if (bound && !Array.isArray(bound)) [inner, within] = [bound.node, bound.scope];
        else {
          const initializer = symbol && this.#initializerOf(symbol);
          if (!initializer) return undefined;
          inner = initializer;
        }
      } else return undefined;
    }
    return undefined;
  }

  /** The texts of the members with these names, or of all members. */
  #members({ properties }: ts.ObjectLiteralExpression, scope: Scope, keys: string[] | undefined): string[] | undefined {
    const wanted = properties.filter(
      (each): each is ts.PropertyAssignment =>
        ts.isPropertyAssignment(each) && (!keys || keys.includes(each.name.getText().replaceAll(/["']/g, ""))),
    );
    return wanted.length > 0
      ? this.#either(
          wanted.map(({ initializer }) => initializer),
          scope,
        )
      : undefined;
  }

  #called(node: ts.CallExpression, scope: Scope): string[] | undefined {
    if (ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (name.text === "join") {
        const separator = node.arguments[0] ? this.of(node.arguments[0], scope) : [","];
        const items = this.#list(expression, scope);
        if (items && separator?.length === 1) {
          let texts: string[] | undefined;
          for (const item of items)
            texts = texts
              ? texts.flatMap((text) => item.map((each) => text + separator[0]! + each)).slice(0, mostTexts)
              : item;
          return texts ?? [""];
        }
        return undefined;
      }
    }
    const callee = this.#functionOf(node.expression, scope);
    return callee && this.#result(callee, node.arguments, scope);
  }

  #functionOf(node: ts.Expression, scope: Scope): ts.FunctionLikeDeclaration | undefined {
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node;
    const symbol = this.#symbolOf(node);
    if (!symbol) return undefined;
    const bound = scope.get(symbol);
    if (bound && !Array.isArray(bound)) return this.#functionOf(bound.node, bound.scope);
    const declared = symbol.valueDeclaration;
    if (!declared) return undefined;
    if (ts.isFunctionDeclaration(declared) || ts.isMethodDeclaration(declared)) return declared;
    const initializer = this.#initializerOf(symbol);
    return initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? initializer
      : undefined;
  }

  #result(
    callee: ts.FunctionLikeDeclaration,
    given: readonly ts.Expression[],
    scope: Scope,
    bound?: string[],
  ): string[] | undefined {
    const inner: Scope = new Map(scope);
    for (const [i, parameter] of callee.parameters.entries()) {
      const symbol = this.checker.getSymbolAtLocation(parameter.name);
      if (symbol && ts.isIdentifier(parameter.name)) {
        const value = given[i] ?? parameter.initializer;
        if (bound && i === 0) inner.set(symbol, bound);
        else if (value) inner.set(symbol, { node: value, scope });
      }
    }
    if (!callee.body) return undefined;
    if (!ts.isBlock(callee.body)) return this.of(callee.body, inner);
    const returned: ts.Expression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) return;
      if (ts.isReturnStatement(node) && node.expression) returned.push(node.expression);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(callee.body, visit);
    return returned.length > 0 ? this.#either(returned, inner) : undefined;
  }

  /** The texts of each item of a list. */
  #list(node: ts.Expression, scope: Scope): string[][] | undefined {
    if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node))
      return this.#list(node.expression, scope);
    if (ts.isArrayLiteralExpression(node)) {
      const items = node.elements.map((each) =>
        ts.isSpreadElement(each) ? this.#list(each.expression, scope) : wrapped(this.of(each, scope)),
      );
      return items.includes(undefined) ? undefined : items.flatMap((each) => each!);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (name.text === "map" && node.arguments[0]) {
        const items = this.#list(expression, scope);
        const callee = this.#functionOf(node.arguments[0], scope);
        const mapped = items?.map((item) => (callee ? this.#result(callee, [], scope, item) : undefined));
        return mapped && !mapped.includes(undefined) ? (mapped as string[][]) : undefined;
      }
      if (name.text === "keys" && node.arguments[0]) {
        const owner = this.#objectOf(node.arguments[0], scope);
        return owner?.node.properties.flatMap((each) => (each.name ? [[each.name.getText()]] : []));
      }
      return undefined;
    }
    if (ts.isIdentifier(node)) {
      const symbol = this.#symbolOf(node);
      const bound = symbol && scope.get(symbol);
      if (bound) return Array.isArray(bound) ? undefined : this.#list(bound.node, bound.scope);
      const initializer = symbol && this.#initializerOf(symbol);
      return initializer && this.#list(initializer, scope);
    }
    return undefined;
  }

  /** The texts of a type: its literals, or a number in place of any number. */
  #byType(node: ts.Expression): string[] | undefined {
    const type = this.checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    if (parts.every((part) => part.isStringLiteral())) return parts.map((part) => (part as ts.StringLiteralType).value);
    if (parts.every((part) => part.flags & ts.TypeFlags.NumberLike)) return ["1"];
    return undefined;
  }
}

const wrapped = (texts: string[] | undefined): string[][] | undefined => texts && [texts];
