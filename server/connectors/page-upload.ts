/** Bytes of a file, packed, that the console's pages send: with base64 and JSON around it, it fits their requests. */
export const pageUploadLimit = 7 * 1024 * 1024;
