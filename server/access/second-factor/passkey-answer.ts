import { z } from "zod";

const text = (max: number) => z.string().max(max);

// What navigator.credentials returns, as JSON (WebAuthn level 3, section 5.1). Bounded here, and checked by
// @simplewebauthn/server.
const credential = { id: text(2000), rawId: text(2000), type: z.literal("public-key") };
const clientDataJSON = text(10_000);

/** No extension is asked for, so what a browser says about extensions is dropped. */
const withoutExtensions = <A>(answer: A) => ({ ...answer, clientExtensionResults: {} });

/** The answer of a passkey that exists. */
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

/** The answer of a passkey that was made. */
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
