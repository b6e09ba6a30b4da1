import type { Upload } from "./upload";

export interface OpenBlob {
  size: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** Where the bytes of blobs are kept. Keys are `<organisation>/<two digits of the hash>/<SHA-256>`. */
export interface BlobDriver {
  /** Stores the file under the key, whole or not at all. Storing what is there already changes nothing. */
  put(key: string, file: Upload): Promise<void>;
  /** Null where there is none. */
  open(key: string): Promise<OpenBlob | null>;
  exists(key: string): Promise<boolean>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}
