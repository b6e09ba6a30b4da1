/** The URL of a file that the build of the public pages copies (scripts/build/build-public.mjs). */
declare module "*.wasm" {
  const address: string;
  export default address;
}
