declare module "@20minutes/s3rver" {
  /** A server that speaks the protocol of S3 and checks signatures. The access key and its secret are "S3RVER". */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      serviceEndpoint?: string;
      allowMismatchedSignatures?: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
