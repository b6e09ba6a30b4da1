import { GoogleServer } from "./google-server";

let running: Promise<GoogleServer> | undefined;

/** Starts the stand-in for Google at the configured address, once. It runs until the test file ends. */
export function standIn(): Promise<GoogleServer> {
  return (running ??= GoogleServer.start({ port: Number(new URL(process.env["GOOGLE_TOKEN_URL"]!).port) }));
}

/** Settings that an organisation can enter for Google Wallet. */
export async function googleAccount(): Promise<{ issuerId: string; serviceAccount: string }> {
  const { issuerId, serviceAccount } = (await standIn()).account();
  return { issuerId, serviceAccount };
}
