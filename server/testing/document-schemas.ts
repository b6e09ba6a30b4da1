import type Ajv2020 from "ajv/dist/2020";
import type { ValidateFunction } from "ajv/dist/2020";

/**
 * Returns a compiler for schemas that are parts of an OpenAPI document. Each shared schema is compiled once, and not
 * again for each response that refers to it.
 */
export function compilerOf(document: object, ajv: Ajv2020): (part: object) => ValidateFunction {
  ajv.addSchema(document, "document", undefined, false);
  return (part) =>
    ajv.compile(JSON.parse(JSON.stringify(part).replaceAll('"$ref":"#/', '"$ref":"document#/')) as object);
}
