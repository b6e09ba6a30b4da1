import { createConnector } from "@/server/connectors/create";
import type { Ctx } from "@/server/core/context";

export const scimConnector = (ctx: Ctx) => createConnector(ctx, { name: "Directory", type: "scim" });
