import { registerHooks } from "node:module";

// The generators write code through the JavaScript API of TypeScript 5, which TypeScript 7 does not have yet (decision
// 151).
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-api" : specifier, context),
});
