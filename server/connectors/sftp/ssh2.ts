import * as namespace from "ssh2";

// ssh2 is a CommonJS module whose named exports Node cannot detect.
const ssh2 = ("default" in namespace ? namespace.default : namespace) as typeof namespace;

export const { Client, Server, utils } = ssh2;
