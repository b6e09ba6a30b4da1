declare module "@20minutes/s3rver" {
  /** A server that speaks the S3 protocol and checks signatures. Access key and secret are both "S3RVER". */
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
