import { z } from "zod";

const text = (max: number) => z.string().max(max);

// The JSON that navigator.credentials returns (WebAuthn level 3, section 5.1). Only its size is limited here;
// @simplewebauthn/server checks it.
const credential = { id: text(2000), rawId: text(2000), type: z.literal("public-key") };
const clientDataJSON = text(10_000);

/** Drops what a browser says about extensions, since none is requested. */
const withoutExtensions = <A>(answer: A) => ({ ...answer, clientExtensionResults: {} });

/** The answer of an existing passkey, at sign-in. */
export const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      authenticatorData: text(10_000),
      signature: text(10_000),
      userHandle: text(200).optional(),
    }),
  })
  .transform(withoutExtensions);

/** The answer of a newly created passkey. */
export const attestation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: text(100_000),
      transports: z.array(text(32)).max(10).optional(),
    }),
  })
  .transform(withoutExtensions);

export type Assertion = z.input<typeof assertion>;
