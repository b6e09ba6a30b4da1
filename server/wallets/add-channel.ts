import { z } from "zod";
import { audit } from "@/server/access/audit";
import { sendCredential } from "@/server/channels/send";
import { channelSchema, channelView, type ChannelView } from "@/server/channels/view";
import { env } from "@/server/core/env";
import type { TxCtx } from "@/server/core/context";
import { emailAddress } from "@/server/core/email-address";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { formatCode } from "@/server/credentials/code";
import { loadForChange } from "@/server/credentials/load";
import type { CredentialRow } from "@/server/credentials/view";
import { subjectErased } from "@/server/subjects/erased";
import { ensurePass, provisionChannel } from "./apple/ensure-pass";
import { requireIdentity } from "./apple/settings";

export const addedChannelSchema = channelSchema
  .extend({
    url: z.string().nullable().meta({
      description: "Of a wallet: the link with which the holder adds the pass, to be opened on the phone.",
    }),
  })
  .meta({ id: "AddedChannel" });

/**
 * Offers a credential to its holder on a channel: sends it by e-mail, or makes the pass of a wallet and returns the link
 * to add it. Doing so again renews the message, or returns the same link. Leaves an audit entry; emits
 * credential.channel.provisioned for a new pass.
 *
 * @throws DomainError as sendCredential; wallet_not_offered; wallet_not_configured
 */
export const addChannel = command({
  name: "credentials.channels.create",
  scope: "credentials:issue",
  input: z.strictObject({
    id: id("crd"),
    type: z.enum(["email", "apple_wallet"]),
    to: emailAddress.optional().meta({ description: "Of an e-mail: without it, the holder's address." }),
  }),
  async run(ctx, input): Promise<ChannelView & { url: string | null }> {
    if (input.type === "email") {
      const sent = await sendCredential(ctx, { id: publicId("crd", input.id), ...(input.to && { to: input.to }) });
      return { ...sent, url: null };
    }
    if (input.to !== undefined)
      throw invalidInput([{ pointer: "/to", code: "exclusive", message: "is the address of an e-mail; leave it out" }]);
    const credential = await loadForChange(ctx, input.id);
    await requireOffered(ctx, credential);
    const { passTypeId } = await requireIdentity(ctx.tx.sql, ctx.orgId, ctx.now);
    await ensurePass(ctx, credential.id, passTypeId);
    const channel = await provisionChannel(ctx, credential.id);
    await audit(
      ctx,
      "credential.pass_made",
      { type: "credential", id: publicId("crd", credential.id) },
      { channelId: publicId("chn", channel.id) },
    );
    return { ...channelView(channel), url: applePassUrl(credential.code) };
  },
});

/** The address at which anyone who has the code gets the pass. */
export const applePassUrl = (code: string): string =>
  `${env().PUBLIC_URL}/public/credentials/${formatCode(code)}/wallet/apple`;

async function requireOffered(ctx: TxCtx, credential: CredentialRow): Promise<void> {
  if (credential.subject_erased_at) throw subjectErased();
  const { id: credentialId, state } = credential;
  if (state !== "active")
    throw new DomainError(
      "credential_state",
      `The credential is ${state}. Only one that is active is added to a wallet.`,
      { members: { credentialId: publicId("crd", credentialId), state, action: "add" } },
    );
  const [version] = await ctx.tx.sql<{ offered: boolean }>(
    `SELECT coalesce((design #> '{wallet,apple}')::boolean, false) AS offered FROM template_versions WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, credential.template_version_id],
  );
  if (!version?.offered)
    throw new DomainError(
      "wallet_not_offered",
      "The version of the template with which it was issued does not offer Apple Wallet. Publish one that does, and reissue the credential.",
    );
}
