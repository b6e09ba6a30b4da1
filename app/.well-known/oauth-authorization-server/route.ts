import { authorizationServerMetadata } from "@/server/http/oauth/metadata";

export const GET = authorizationServerMetadata;
