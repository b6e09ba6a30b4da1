import { examples } from "./examples";

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  properties?: { data?: { items?: Schema }; nextCursor?: Schema };
}
interface Document {
  paths?: Record<
    string,
    Record<
      string,
      { responses?: Record<string, { content?: Record<string, { schema?: unknown; example?: unknown }> }> }
    >
  >;
}

/** Gives each response without an example one, built from the examples of the schemas that it refers to. */
export function withExamples<D>(document: D): D {
  for (const methods of Object.values((document as Document).paths ?? {})) {
    for (const { responses = {} } of Object.values(methods)) {
      for (const { content = {} } of Object.values(responses)) {
        for (const media of Object.values(content)) {
          const example = media.example ?? exampleOf(media.schema as Schema);
          if (example !== undefined) media.example = example;
        }
      }
    }
  }
  return document;
}

function exampleOf(schema: Schema): unknown {
  if (schema.$ref) return examples[schema.$ref.split("/").at(-1)!];
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!);
  const items = schema.properties?.nextCursor && schema.properties.data?.items;
  return items ? { data: [exampleOf(items)], nextCursor: null } : undefined;
}
