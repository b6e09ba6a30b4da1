import * as namespace from "ssh2";

// A CommonJS module whose names Node does not find by itself.
const ssh2 = ("default" in namespace ? namespace.default : namespace) as typeof namespace;

export const { Client, Server, utils } = ssh2;
