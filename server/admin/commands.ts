import type { Command } from "./command";
import { demo } from "./demo";
import { keyCreate, keyList, keyRevoke, oauthClientCreate, oauthClientList, oauthClientRevoke } from "./keys";
import { orgConfirmName, orgCreate, orgLimit, orgList, orgResume, orgSuspend } from "./organisations";
import { secretReencrypt, secretReset, secretRotate } from "./secrets";
import {
  sessionEnd,
  setupLink,
  userCreate,
  userDelete,
  userDisable,
  userEnable,
  userList,
  userResetPassword,
  userResetSecondFactor,
} from "./people";

/** The operator's commands by name. */
export const commands: Record<string, Command> = {
  "org create": orgCreate,
  "org list": orgList,
  "org confirm-name": orgConfirmName,
  "org limit": orgLimit,
  "org suspend": orgSuspend,
  "org resume": orgResume,
  "user create": userCreate,
  "user list": userList,
  "user reset-password": userResetPassword,
  "user reset-second-factor": userResetSecondFactor,
  "user disable": userDisable,
  "user enable": userEnable,
  "user delete": userDelete,
  "session end": sessionEnd,
  "key create": keyCreate,
  "key list": keyList,
  "key revoke": keyRevoke,
  "oauth-client create": oauthClientCreate,
  "oauth-client list": oauthClientList,
  "oauth-client revoke": oauthClientRevoke,
  "setup-link": setupLink,
  "secret rotate": secretRotate,
  "secret reencrypt": secretReencrypt,
  "secret reset": secretReset,
  demo,
};
