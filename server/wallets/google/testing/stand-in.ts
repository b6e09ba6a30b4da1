import { GoogleServer } from "./google-server";

let running: Promise<GoogleServer> | undefined;

/** The stand-in of Google at the address in the configuration. It runs until the test file ends. */
export function standIn(): Promise<GoogleServer> {
  return (running ??= GoogleServer.start({ port: Number(new URL(process.env["GOOGLE_TOKEN_URL"]!).port) }));
}

/** What an organisation enters for Google Wallet. */
export async function googleAccount(): Promise<{ issuerId: string; serviceAccount: string }> {
  const { issuerId, serviceAccount } = (await standIn()).account();
  return { issuerId, serviceAccount };
}
