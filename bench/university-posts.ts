import { newPublicId } from "@/server/core/ids";
import { signedHeaders, signingKey } from "@/server/webhooks/dispatch/sign";
import { httpClient } from "./http-client";

const lanes = 64;

/**
 * Posts as many signed webhooks to a listener as a university has events, as fast as the listener accepts them: what any
 * sender has to do. The bodies have the length of those of the events.
 */
export async function barePosts(origin: string, count: number, bytes: number): Promise<void> {
  const http = await httpClient(origin, lanes);
  const keys = [signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")];
  const body = "x".repeat(bytes);
  let sent = 0;
  const lane = async (n: number) => {
    while (sent++ < count) {
      const message = {
        eventId: newPublicId("evt"),
        eventType: "subject.created",
        deliveryId: newPublicId("dlv"),
        attempt: 1,
        body,
      };
      await http.send(n, "POST", "/hooks", { body, headers: signedHeaders(message, keys, new Date()) });
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  http.close();
}
