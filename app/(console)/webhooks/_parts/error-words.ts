import type { AttemptView } from "@/server/webhooks/deliveries/attempt-view";

/** The meaning of each class of error, and where to look for the cause. */
export const errorWords: Record<NonNullable<AttemptView["errorClass"]>, { title: string; advice: string }> = {
  dns: { title: "The name was not found", advice: "Check the spelling of the URL's host, and its DNS records." },
  blocked_address: {
    title: "The address is not allowed",
    advice:
      "The name leads to a private or special address, which deliveries may not reach. The operator can allow it.",
  },
  connect: {
    title: "No connection",
    advice:
      "A connection must be accepted within 5 seconds. Is the server up, and does a firewall let this service in?",
  },
  tls: {
    title: "No secure connection",
    advice: "The certificate is expired, self-signed, incomplete or for another name.",
  },
  timeout: {
    title: "No answer in time",
    advice: "The whole answer must come within 15 seconds. Accept first, then work in the background.",
  },
  redirect: {
    title: "It answered with a redirect",
    advice: "Redirects are not followed. Register the address that it points to.",
  },
  http: {
    title: "It was not accepted",
    advice: "The listener answered, but not with a 2xx. Its answer below and its own log say why.",
  },
  internal: {
    title: "The attempt failed on our side",
    advice: "It is tried again by itself. If it stays, tell the operator.",
  },
};
