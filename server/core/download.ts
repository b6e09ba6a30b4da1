/** A file that an operation returns as a stream. Only the chunk that is being sent is in memory. */
export interface Download {
  /** Media type. */
  type: string;
  /** The name under which a browser saves the file. Without a name, the browser shows the file. */
  fileName?: string;
  /** In bytes, if known. */
  size?: number;
  etag?: string;
  headers?: Record<string, string>;
  /** Makes the bytes where that takes long. Asked before the answer begins, and not for HEAD or 304. */
  prepare?(): Promise<{ size: number; chunks: AsyncIterable<string | Uint8Array> }>;
  /** Asked for the next chunk only after the last one was sent. Ended early if the client disconnects. */
  chunks: AsyncIterable<string | Uint8Array>;
}
