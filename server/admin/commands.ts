import type { Command } from "./command";
import { demo } from "./demo";
import { keyCreate, oauthClientCreate } from "./keys";
import { orgCreate, orgLimit, orgList } from "./organisations";
import { setupLink, userCreate, userResetPassword, userResetSecondFactor } from "./people";

/** The operator's commands by name. */
export const commands: Record<string, Command> = {
  "org create": orgCreate,
  "org list": orgList,
  "org limit": orgLimit,
  "user create": userCreate,
  "user reset-password": userResetPassword,
  "user reset-second-factor": userResetSecondFactor,
  "key create": keyCreate,
  "oauth-client create": oauthClientCreate,
  "setup-link": setupLink,
  demo,
};
