import { readCode } from "@/server/credentials/code";

/**
 * Reads the public code in an address of this service: of a credential's page (/c/{code}), of its record and files
 * (/public/credentials/{code}…), or of an answer (/verify?code=). Ignores case, doubled and trailing slashes, and escapes
 * of letters, as servers do. Runs in the browser as well.
 * @returns null if the address holds no code
 */
export function codeAt({ pathname, searchParams }: URL): string | null {
  const path = unescaped(pathname).replace(/\/+/g, "/");
  const [, inPath] = /^\/(?:c|public\/credentials)\/([^/]+)/i.exec(path) ?? [];
  const inQuery = /^\/(?:public\/)?verify\/?$/i.test(path)
    ? [...searchParams].find(([name]) => name.toLowerCase() === "code")?.[1]
    : undefined;
  const code = inPath ?? inQuery;
  return code === undefined ? null : readCode(code);
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
