/** The largest compressed file that the console uploads, in bytes: base64 in JSON, it must fit the console's request limit. */
export const pageUploadLimit = 7 * 1024 * 1024;
