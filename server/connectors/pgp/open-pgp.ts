/** Loads OpenPGP.js when a connector first needs it: it takes 8 MB, and most organisations encrypt no files. */
export const loadOpenPgp = () => import("openpgp");
