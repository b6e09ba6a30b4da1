import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accessRouter } from "./routers/access";
import { linksRouter } from "./routers/links";
import { membersRouter } from "./routers/members";
import { organisationRouter } from "./routers/organisation";
import { sessionRouter } from "./routers/session";
import { subjectsRouter } from "./routers/subjects";
import { router } from "./trpc";

export const appRouter = router({
  access: accessRouter,
  links: linksRouter,
  members: membersRouter,
  organisation: organisationRouter,
  session: sessionRouter,
  subjects: subjectsRouter,
});

export type AppRouter = typeof appRouter;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
