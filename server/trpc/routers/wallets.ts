import { getAppleSettings } from "@/server/wallets/apple/get-settings";
import { removeAppleSettings } from "@/server/wallets/apple/remove-settings";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { getGoogleSettings } from "@/server/wallets/google/get-settings";
import { removeGoogleSettings } from "@/server/wallets/google/remove-settings";
import { setGoogleSettings } from "@/server/wallets/google/set-settings";
import { fromCommand, fromTagged, fromTaggedCommand, router } from "../trpc";

export const walletsRouter = router({
  apple: fromTagged(getAppleSettings),
  setApple: fromTaggedCommand(setAppleSettings),
  removeApple: fromCommand(removeAppleSettings),
  google: fromTagged(getGoogleSettings),
  setGoogle: fromTaggedCommand(setGoogleSettings),
  removeGoogle: fromCommand(removeGoogleSettings),
});
