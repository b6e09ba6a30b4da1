export const deliveryStatuses = ["pending", "succeeded", "failed", "parked", "cancelled"] as const;
/** Why a delivery was made, or last begun anew. */
export const deliveryTriggers = ["event", "resend", "recover", "replay", "test"] as const;
