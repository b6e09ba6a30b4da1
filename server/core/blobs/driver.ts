import type { Upload } from "./upload";

export interface OpenBlob {
  size: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** A store for the bytes of blobs. Keys are `<organisation>/<two digits of the hash>/<SHA-256>`. */
export interface BlobDriver {
  /** Stores the file under the key, completely or not at all. Storing it again changes nothing. */
  put(key: string, file: Upload): Promise<void>;
  /** Null if there is no such blob. */
  open(key: string): Promise<OpenBlob | null>;
  exists(key: string): Promise<boolean>;
  /** Deletes the blob; no error if there is none. */
  delete(key: string): Promise<void>;
  /** Removes what processes that were killed while they stored left behind, where the store does not do so itself. */
  removeStale?(before: Date): Promise<void>;
}
