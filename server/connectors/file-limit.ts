/** Bytes of a file as it is sent or fetched (contract section 1). */
export const fileLimit = 512 * 1024 * 1024;
