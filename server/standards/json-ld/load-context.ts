import { Unverifiable } from "../failure";
import { bundledContexts } from "./contexts";

/**
 * The document loader of all JSON-LD processing: bundled contexts, and nothing from the network.
 * @throws Unverifiable for any other URL
 */
export function loadContext(
  url: string,
): Promise<{ documentUrl: string; document: object; contextUrl: null; tag: "static" }> {
  const document = bundledContexts.get(url);
  if (!document)
    return Promise.reject(
      new Unverifiable(
        `The credential uses a vocabulary that is not known here: ${url.slice(0, 200)}. What its terms mean cannot be known without it.`,
      ),
    );
  // The tag lets jsonld cache the processed context.
  return Promise.resolve({ documentUrl: url, document, contextUrl: null, tag: "static" });
}
