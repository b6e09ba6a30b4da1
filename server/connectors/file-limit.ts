/** Bytes of a file as it is sent or fetched (contract section 1). */
export const fileLimit = 512 * 1024 * 1024;

/** The media types of files of people. Which of them a file is, its first bytes say. */
export const fileTypes = [
  "text/csv",
  "application/gzip",
  "application/zip",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/x-ndjson",
  "application/jsonl",
  "application/octet-stream",
] as const;
