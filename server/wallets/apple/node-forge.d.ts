declare module "node-forge" {
  interface SafeBag {
    key: object | null;
  }
  const forge: {
    asn1: { fromDer(bytes: string): object };
    pkcs12: {
      pkcs12FromAsn1(file: object, password: string): { getBags(of: { bagType: string }): Record<string, SafeBag[]> };
    };
    pki: {
      oids: { keyBag: string; pkcs8ShroudedKeyBag: string };
      privateKeyToPem(key: object): string;
    };
  };
  export default forge;
}
