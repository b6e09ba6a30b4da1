"use client";
import { Button } from "@heroui/react";
import { Printer, Share2 } from "lucide-react";
import { useSyncExternalStore } from "react";
import { CopyTextButton } from "@/components/ui/copy";

const never = () => () => undefined;

/** Ways to pass a credential on. They need scripts; the address beside them does not. */
export function ShareActions({ url, title }: { url: string; title: string }) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!running) return null;
  const share = () => void navigator.share({ url, title }).catch(() => undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {"share" in navigator && (
        <Button variant="primary" onPress={share}>
          <Share2 aria-hidden="true" /> Share
        </Button>
      )}
      <CopyTextButton text={url} label="Copy link" />
      <Button variant="outline" onPress={() => window.print()}>
        <Printer aria-hidden="true" /> Print
      </Button>
    </div>
  );
}
