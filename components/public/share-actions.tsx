"use client";
import { Printer, Share2 } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { ShareChannel } from "@/server/events/facts";
import { CopyText } from "./copy-text";
import { PlainButton } from "./plain-button";
import { say } from "./words";

const never = () => () => undefined;

interface Props {
  code: string;
  url: string;
  title: string;
}

/** Tells the service that the credential was shared. Nothing waits for it, and a failure has no effect. */
function tell(code: string, channel: ShareChannel): void {
  void fetch(`/public/credentials/${code}/share`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ channel }),
    // The page may be left before the request ends.
    keepalive: true,
  }).catch(() => undefined);
}

/**
 * All ways to share a credential. Without `invites`, those to networks are left out. `profileUrl` is the URL of
 * LinkedIn's form for a profile; null if it is not offered.
 */
export function Share({ profileUrl, invites, ...passedOn }: Props & { profileUrl: string | null; invites: boolean }) {
  return (
    <>
      <ShareActions {...passedOn} />
      {invites && <ShareLinks {...passedOn} />}
      {profileUrl && <AddToProfile code={passedOn.code} href={profileUrl} />}
    </>
  );
}

/** Ways to share a credential. They need scripts; the address next to them does not. */
function ShareActions({ code, url, title }: Props) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!running) return null;
  const share = () =>
    void navigator.share({ url, title }).then(
      () => tell(code, "device"),
      () => undefined,
    );
  return (
    <div className="mt-4 flex flex-wrap justify-center gap-2 *:grow">
      {"share" in navigator && (
        <PlainButton variant="primary" className="basis-full" onPress={share}>
          <Share2 aria-hidden="true" /> {say("Share")}
        </PlainButton>
      )}
      <CopyText text={url} label={say("Copy link")} onCopied={() => tell(code, "link")} />
      <PlainButton variant="outline" onPress={() => window.print()}>
        <Printer aria-hidden="true" /> {say("Print")}
      </PlainButton>
    </div>
  );
}

const link =
  "rounded-sm font-medium text-link underline-offset-4 outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus";

/** Links to networks with the page's address filled in. Nothing is loaded from the networks here. */
function ShareLinks({ code, url, title }: Props) {
  const query = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
  const networks: { channel: ShareChannel; name: string; href: string }[] = [
    {
      channel: "linkedin",
      name: "LinkedIn",
      href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}`,
    },
    { channel: "whatsapp", name: "WhatsApp", href: `https://wa.me/?${query({ text: `${title} ${url}` })}` },
    { channel: "x", name: "X", href: `https://x.com/intent/post?${query({ text: title, url })}` },
    { channel: "email", name: "E-mail", href: `mailto:?${query({ subject: title, body: url })}` },
  ];
  return (
    <p className="mt-3 flex flex-wrap justify-center gap-x-4 gap-y-1 text-[0.8125rem]">
      <span className="text-muted">{say("Share on")}</span>
      {networks.map(({ channel, name, href }) => (
        <a
          key={channel}
          href={href}
          className={link}
          {...(channel !== "email" && { target: "_blank", rel: "noopener noreferrer nofollow" })}
          onClick={() => tell(code, channel)}
        >
          {say(name)}
        </a>
      ))}
    </p>
  );
}

/** A link to LinkedIn's form for a profile, filled in. */
function AddToProfile({ code, href }: { code: string; href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${link} mt-3 inline-block text-[0.8125rem]`}
      onClick={() => tell(code, "linkedin_profile")}
    >
      {say("Add to LinkedIn profile")}
    </a>
  );
}
