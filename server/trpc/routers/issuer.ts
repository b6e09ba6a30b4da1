import { getIssuer } from "@/server/issuers/get";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { fromTagged, fromTaggedCommand, router } from "../trpc";

export const issuerRouter = router({
  get: fromTagged(getIssuer),
  rotateKey: fromTaggedCommand(rotateIssuerKey),
});
