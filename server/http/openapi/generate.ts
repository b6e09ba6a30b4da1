// Bundled and run by scripts/write-openapi.mjs.
export { openApiDocument } from "./document";
export { breakingChanges } from "./breaking-changes";
