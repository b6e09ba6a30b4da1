const mebibyte = 1024 * 1024;

/** The largest archive of photos, in bytes. */
export const archiveLimit = 512 * mebibyte;

/** The most photos of one archive. */
export const photosLimit = 10_000;
