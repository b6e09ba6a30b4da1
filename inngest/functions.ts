import type { InngestFunction } from "inngest";

/** Every function, for the engine, for the route and for the conformance test. One file a function; append it here. */
export const functions: InngestFunction.Any[] = [];
