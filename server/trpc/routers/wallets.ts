import { getAppleSettings } from "@/server/wallets/apple/get-settings";
import { removeAppleSettings } from "@/server/wallets/apple/remove-settings";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { fromCommand, fromTagged, fromTaggedCommand, router } from "../trpc";

export const walletsRouter = router({
  apple: fromTagged(getAppleSettings),
  setApple: fromTaggedCommand(setAppleSettings),
  removeApple: fromCommand(removeAppleSettings),
});
