/** The largest file that can be uploaded or fetched, in bytes (contract section 1). */
export const fileLimit = 512 * 1024 * 1024;

/** The accepted media types of uploads. The format is detected from the first bytes, not from the media type. */
export const fileTypes = [
  "text/csv",
  "application/gzip",
  "application/zip",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/x-ndjson",
  "application/jsonl",
  "application/octet-stream",
] as const;
