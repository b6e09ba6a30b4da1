import { removeIssuerDomain } from "@/server/issuers/domain/remove-domain";
import { setIssuerDomain } from "@/server/issuers/domain/set-domain";
import { verifyIssuerDomain } from "@/server/issuers/domain/verify-domain";
import { getIssuer } from "@/server/issuers/get";
import { revokeIssuerKey } from "@/server/issuers/revoke-key";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { updateIssuer } from "@/server/issuers/update";
import { fromTagged, fromTaggedCommand, router } from "../trpc";

export const issuerRouter = router({
  get: fromTagged(getIssuer),
  update: fromTaggedCommand(updateIssuer),
  revokeKey: fromTaggedCommand(revokeIssuerKey),
  setDomain: fromTaggedCommand(setIssuerDomain),
  verifyDomain: fromTaggedCommand(verifyIssuerDomain),
  removeDomain: fromTaggedCommand(removeIssuerDomain),
  rotateKey: fromTaggedCommand(rotateIssuerKey),
});
