/** A file that an operation gives out, piece by piece: nothing of it is in memory but the piece that is being sent. */
export interface Download {
  /** Media type. */
  type: string;
  /** What a browser saves it as. Without it, the browser shows it. */
  fileName?: string;
  /** Bytes, where known. */
  size?: number;
  etag?: string;
  headers?: Record<string, string>;
  /** Asked for the next piece only once the one before has been sent. Ended early where the client goes away. */
  chunks: AsyncIterable<string | Uint8Array>;
}
