import { env } from "@/server/core/env";
import type { GoogleResult } from "./api";
import type { PassContent } from "./pass-object";

/** The result of sending a pass, and whether Google accepted it only without its pictures. */
export interface Sent {
  result: GoogleResult;
  lacksPictures: boolean;
}

/**
 * Sends the content of a pass. If Google refuses it, sends it again without pictures: Google refuses a pass if it cannot
 * load a picture, and a revoked credential would look valid until it can.
 */
export async function sendContent(
  content: PassContent,
  send: (content: PassContent) => Promise<GoogleResult>,
): Promise<Sent> {
  const result = await send(content);
  const isRefused = typeof result !== "string" && result.isRefusal;
  if (!isRefused || !(content.logo || content.heroImage)) return { result, lacksPictures: false };
  const second = await send({ ...content, logo: null, heroImage: null });
  return { result: second, lacksPictures: second === "done" };
}

/** What admins see if Google accepts passes only without their pictures. */
export const picturesProblem = () =>
  `Google accepts passes only without the logo and the picture of their design. Google has to reach ${env().PUBLIC_URL} from the internet to load them.`;
