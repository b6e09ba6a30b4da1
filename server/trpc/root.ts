import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { accessRouter } from "./routers/access";
import { achievementsRouter } from "./routers/achievements";
import { bulkRouter } from "./routers/bulk";
import { claimsRouter } from "./routers/claims";
import { connectorsRouter } from "./routers/connectors";
import { credentialsRouter } from "./routers/credentials";
import { eventsRouter } from "./routers/events";
import { groupsRouter } from "./routers/groups";
import { confirmationsRouter } from "./routers/confirmations";
import { holdersRouter } from "./routers/holders";
import { issuerRouter } from "./routers/issuer";
import { photosRouter } from "./routers/photos";
import { policiesRouter } from "./routers/policies";
import { linksRouter } from "./routers/links";
import { membersRouter } from "./routers/members";
import { messagesRouter } from "./routers/messages";
import { organisationRouter } from "./routers/organisation";
import { secondFactorRouter } from "./routers/second-factor";
import { sessionRouter } from "./routers/session";
import { signInRouter } from "./routers/sign-in";
import { subjectsRouter } from "./routers/subjects";
import { templatesRouter } from "./routers/templates";
import { walletsRouter } from "./routers/wallets";
import { webhooksRouter } from "./routers/webhooks";
import { router } from "./trpc";

export const appRouter = router({
  access: accessRouter,
  achievements: achievementsRouter,
  bulk: bulkRouter,
  claims: claimsRouter,
  connectors: connectorsRouter,
  credentials: credentialsRouter,
  events: eventsRouter,
  groups: groupsRouter,
  confirmations: confirmationsRouter,
  holders: holdersRouter,
  issuer: issuerRouter,
  photos: photosRouter,
  policies: policiesRouter,
  links: linksRouter,
  members: membersRouter,
  messages: messagesRouter,
  organisation: organisationRouter,
  secondFactor: secondFactorRouter,
  session: sessionRouter,
  signIn: signInRouter,
  subjects: subjectsRouter,
  templates: templatesRouter,
  wallets: walletsRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
