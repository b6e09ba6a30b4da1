// Bundled and run by scripts/openapi.mjs.
export { openApiDocument } from "./document";
export { breakingChanges } from "./breaking-changes";
