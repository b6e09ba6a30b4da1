import { someAddress, claimLink, proved } from "@/server/claims/testing/claims";
import { submitClaim } from "@/server/claims/submit-claim";
import { confirmOwnName } from "@/server/confirmations/confirm-own";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import type { Ctx } from "@/server/core/context";
import { enterHome } from "@/server/holders/enter";
import { removeAddress } from "@/server/holders/remove-address";
import { requestCorrection } from "@/server/holders/request-correction";
import { requestAddress } from "@/server/holders/request-entry";
import { requestName } from "@/server/holders/request-name";
import { homeLinkToken, homeSession } from "@/server/holders/testing/holders";
import { upsertSubject } from "@/server/subjects/upsert";
import { visitor } from "../person";
import type { Step } from "./step";

/** A holder in their home, and a further address that they asked to add. */
async function holder(ctx: Ctx) {
  const [email, further] = [someAddress(), someAddress()];
  const { subject } = await upsertSubject(ctx, { externalId: "holder", displayName: "Ada Byron", email });
  const session = await homeSession(email);
  await requestAddress(visitor(), { session, email: further });
  return { session, subjectId: subject.id, further };
}

const confirmationToken = async (ctx: Ctx) => (await nameConfirmation(ctx)).link!.split("/").at(-1)!;

/** What people do who have no account: claimants and holders. */
export const visitorSteps: Step[] = [
  {
    operation: submitClaim,
    async prepare(ctx) {
      const { code } = await claimLink(ctx);
      const token = await proved(code, someAddress());
      return () => submitClaim(visitor(), { code, token, entered: { name: "Ada Lovelace" } });
    },
    events: ["subject.created", "credential.created", "credential.issued"],
    audit: ["claim.issued"],
  },
  {
    operation: confirmOwnName,
    async prepare(ctx) {
      const token = await confirmationToken(ctx);
      return () => confirmOwnName(visitor(), { token, name: "Ada Lovelace" });
    },
    events: ["credential.created", "credential.issued", "name_confirmation.confirmed"],
    audit: ["name_confirmation.confirmed"],
  },
  {
    operation: requestCorrection,
    async prepare(ctx) {
      const token = await confirmationToken(ctx);
      return () => requestCorrection(visitor(), { token, name: "Ada King", note: "I married." });
    },
    events: [],
    audit: ["name_request.submitted"],
  },
  {
    operation: requestName,
    async prepare(ctx) {
      const { session, subjectId } = await holder(ctx);
      return () => requestName(visitor(), { session, subjectId, name: "Ada Lovelace", note: "I married." });
    },
    events: [],
    audit: ["name_request.submitted"],
  },
  {
    operation: enterHome,
    async prepare(ctx) {
      const { further } = await holder(ctx);
      const token = await homeLinkToken(further);
      return () => enterHome(visitor(), { token });
    },
    events: [],
    audit: ["holder.address_added"],
  },
  {
    operation: removeAddress,
    async prepare(ctx) {
      const { session, further } = await holder(ctx);
      await enterHome(visitor(), { token: await homeLinkToken(further) });
      return () => removeAddress(visitor(), { session, email: further });
    },
    events: [],
    audit: ["holder.address_removed"],
  },
];
