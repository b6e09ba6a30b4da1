import { handleInngest } from "@/inngest/handler";

export const GET = handleInngest;
export const POST = handleInngest;
export const PUT = handleInngest;
