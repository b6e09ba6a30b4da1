/**
 * Flags of Node for the server. Node lets the young generation of a heap grow to 134 MB on a large machine; each of the
 * server's two threads needs no more than a quarter of that (docs/decisions/731, 780).
 */
export const serverFlags = ["--max-semi-space-size=16"];
