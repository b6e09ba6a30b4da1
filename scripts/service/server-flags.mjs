/**
 * Flags of Node for the server. Node lets the young generation of its heap grow to 134 MB on a large machine; the server
 * needs no more than half of that (docs/decisions/731).
 */
export const serverFlags = ["--max-semi-space-size=32"];
