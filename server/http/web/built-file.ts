import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import type { Endpoint } from "@/server/http/rest/endpoint";
import { problemResponse } from "@/server/http/rest/problem";
import { staticFile } from "./static-file";

const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

/** Names as the build writes them: with a hash of the content, so that a name never means another content. */
const named = /^[\w-]+-[0-9A-Z]{8}\.(js|css|woff2|wasm)$/;

/** Serves the files of .build/public/assets by their name. Browsers keep them for a year. */
export function builtFile(): Endpoint {
  const files = new Map<string, Endpoint>();
  return async (request, context) => {
    const name = String((await context?.params)?.["file"]);
    let serve = files.get(name);
    if (!serve) {
      const [, suffix] = named.exec(name) ?? [];
      const path = join(process.cwd(), ".build", "public", "assets", name);
      if (!suffix || !existsSync(path))
        return problemResponse(new DomainError("not_found", "There is no such file."), newPublicId("req"));
      serve = staticFile(path, types[suffix], "public, max-age=31536000, immutable");
      files.set(name, serve);
    }
    return serve(request, context);
  };
}
