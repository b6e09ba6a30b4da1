// Bundled and run by scripts/build/write-openapi.mjs.
export { openApiDocument } from "./document";
export { breakingChanges } from "./breaking-changes";
