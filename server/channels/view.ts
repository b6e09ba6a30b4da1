import { z } from "zod";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { noMailServer } from "@/server/messages/view";

export const channelTypes = ["email", "apple_wallet", "google_wallet"] as const;
export type ChannelType = (typeof channelTypes)[number];

export const channelStatuses = ["pending", "provisioned", "installed", "removed", "failed"] as const;

/** A row of `credential_channels`, as raw SQL returns it. */
export interface ChannelRow {
  id: Id<"chn">;
  credential_id: Id<"crd">;
  type: ChannelType;
  /** The e-mail address; for a phone with Apple Wallet, an identifier of it; otherwise empty. */
  address: string;
  status: (typeof channelStatuses)[number];
  error: string | null;
  asked_at: Date;
  provisioned_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const channelColumns =
  "id, credential_id, type, address, status, error, asked_at, provisioned_at, created_at, updated_at";

const time = z.iso.datetime();

export const channelSchema = z
  .object({
    id: z.string(),
    object: z.literal("channel"),
    credentialId: z.string(),
    type: z.enum(channelTypes),
    address: z.string().meta({
      description:
        "Where the link to the credential's page is sent. Of a wallet, a sign that tells phones apart, or empty while the pass is on none.",
    }),
    status: z.enum(channelStatuses).meta({
      description:
        "pending: the message waits to be sent. provisioned: a mail server took it, or a pass was made. installed: the pass is in the wallet of a phone. removed: its holder took it out. failed: it was not sent, or the phone cannot be reached, for the reason in error.",
    }),
    error: z.string().nullable(),
    provisionedAt: time
      .nullable()
      .meta({ description: "When a mail server last took the message, or the pass was made." }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Channel" });

export type ChannelView = z.infer<typeof channelSchema>;

/** @param ended the state of a credential that can no longer be sent, e.g. "revoked" */
export function channelView(row: ChannelRow, ended: string | null = null): ChannelView {
  return {
    ...channelFactsOf(row),
    address: row.address,
    error: row.type === "email" && row.status === "pending" ? waitingFor(row, ended) : row.error,
    provisionedAt: row.provisioned_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Why a message still waits, or will not be sent. */
function waitingFor({ error }: ChannelRow, ended: string | null): string | null {
  if (ended) return `The credential is ${ended}, so the message is not sent.`;
  return error ?? (env().SMTP_URL === undefined ? noMailServer : null);
}

/** The facts of a channel in events, without its address. */
export const channelFactsOf = (row: ChannelRow) => ({
  object: "channel" as const,
  id: publicId("chn", row.id),
  credentialId: publicId("crd", row.credential_id),
  type: row.type,
  status: row.status,
  error: row.error,
});
