import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { sendCredential } from "@/server/channels/send";
import { channelSchema, channelView, type ChannelView } from "@/server/channels/view";
import { env } from "@/server/core/env";
import { sql, type Query } from "@/server/core/db";
import { emailAddress } from "@/server/core/email-address";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { formatCode } from "@/server/credentials/code";
import { loadCredential, loadForChange } from "@/server/credentials/load";
import { effectiveState } from "@/server/credentials/states";
import type { CredentialRow } from "@/server/credentials/view";
import { subjectErased } from "@/server/subjects/erased";
import { ensurePass } from "./apple/ensure-pass";
import { requireIdentity } from "./apple/settings";
import { ensureGooglePass } from "./google/ensure-pass";
import { googleService } from "./google/service";
import { requireIssuer } from "./google/settings";
import { provisionChannel } from "./pass-channel";
import { walletNames, type WalletName } from "./wallet-names";

export const addedChannelSchema = channelSchema
  .extend({
    url: z.string().nullable().meta({
      description: "The link that adds the pass to the wallet, to be opened on the phone. Null for e-mail.",
    }),
  })
  .meta({ id: "AddedChannel" });

/**
 * Offers a credential to its holder on a channel: sends it by e-mail, or creates a wallet pass and returns the link that
 * adds it. A second call sends the e-mail again, or returns the same link. Leaves an audit entry; emits
 * credential.channel.provisioned for a new pass.
 *
 * @throws DomainError those of sendCredential; wallet_not_offered; wallet_not_configured; unavailable if Google does not
 *   accept the pass
 */
export const addChannel = command({
  name: "credentials.channels.create",
  scope: "credentials:issue",
  input: z.strictObject({
    id: id("crd"),
    type: z.enum(["email", "apple_wallet", "google_wallet"]),
    to: emailAddress
      .optional()
      .meta({ description: "For type email: the address to send to. The holder's own address unless sent." }),
  }),
  standing: standingOf,
  async prepare(ctx, input) {
    if (input.type !== "google_wallet") return;
    refuseAddress(input.to);
    const found = await loadCredential(ctx, input.id);
    const credential = { ...found, state: effectiveState(found, ctx.now) };
    await requireOffered(sql, ctx.orgId, credential, "google");
    await ensureGooglePass(ctx, credential, await requireIssuer(sql, ctx.orgId), googleService());
  },
  async run(ctx, input): Promise<ChannelView & { url: string | null }> {
    if (input.type === "email") {
      const sent = await sendCredential(ctx, { id: publicId("crd", input.id), ...(input.to && { to: input.to }) });
      return { ...sent, url: null };
    }
    refuseAddress(input.to);
    const credential = await loadForChange(ctx, input.id);
    const wallet = input.type === "apple_wallet" ? "apple" : "google";
    await requireOffered(ctx.tx.sql, ctx.orgId, credential, wallet);
    if (wallet === "apple") {
      const { passTypeId } = await requireIdentity(ctx.tx.sql, ctx.orgId, ctx.now);
      await ensurePass(ctx, credential.id, passTypeId);
    }
    const channel = await provisionChannel(ctx, credential.id, input.type);
    await audit(
      ctx,
      "credential.pass_made",
      { type: "credential", id: publicId("crd", credential.id) },
      { channelId: publicId("chn", channel.id) },
    );
    return { ...channelView(channel), url: passUrl(credential.code, wallet) };
  },
});

/** The public link of a pass: downloads the Apple pass, or redirects to Google's page that adds the pass. */
const passUrl = (code: string, wallet: WalletName): string =>
  `${env().PUBLIC_URL}/public/credentials/${formatCode(code)}/wallet/${wallet}`;

function refuseAddress(to: string | undefined): void {
  if (to !== undefined)
    throw invalidInput([{ pointer: "/to", code: "exclusive", message: "is for the type email only; leave it out" }]);
}

async function requireOffered(
  sql: Query,
  orgId: Id<"org">,
  credential: CredentialRow,
  wallet: WalletName,
): Promise<void> {
  if (credential.subject_erased_at) throw subjectErased();
  const { id: credentialId, state } = credential;
  if (state !== "active")
    throw new DomainError(
      "credential_state",
      `The credential is ${state}. Only an active credential can be added to a wallet.`,
      { members: { credentialId: publicId("crd", credentialId), state, action: "add" } },
    );
  const [version] = await sql<{ offered: boolean }>(
    `SELECT coalesce((design #> ARRAY['wallet', $3])::boolean, false) AS offered FROM template_versions WHERE org_id = $1 AND id = $2`,
    [orgId, credential.template_version_id, wallet],
  );
  if (!version?.offered)
    throw new DomainError(
      "wallet_not_offered",
      `The credential was issued with a template version that does not offer ${walletNames[wallet]}. Publish a version that does, then reissue the credential.`,
    );
}
