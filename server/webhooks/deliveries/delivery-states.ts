export const deliveryStatuses = ["pending", "succeeded", "failed", "parked", "cancelled"] as const;
/** Why a delivery was created, or last restarted. */
export const deliveryTriggers = ["event", "resend", "recover", "replay", "test"] as const;
