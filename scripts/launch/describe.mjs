import { inWords } from "./system-failure.mjs";

/**
 * Formats an error: a Failure, a configuration error or a system error as a message, any other error with its stack.
 */
export function describe(error) {
  if (error?.name === "Failure") {
    const detail = error.detail ? `${error.detail.trim().replace(/^/gm, "    ")}\n\n` : "";
    return `${error.message}\n\n${detail}What to do: ${error.todo}`;
  }
  if (Array.isArray(error?.problems))
    return `${error.message}\n\nWhat to do: correct these environment variables, or the .env file.`;
  const failure = error?.syscall && inWords(error.path ? `${error.path} cannot be used` : "This step failed", error);
  if (failure?.name === "Failure") return describe(failure);
  return error?.stack ?? String(error);
}
