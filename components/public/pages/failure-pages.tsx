import { CircleHelp } from "lucide-react";
import { PublicFrame } from "@/components/public/frame";
import { Message } from "@/components/public/message";
import { buttonLook } from "@/components/public/plain-button";
import { UnknownCode } from "@/components/public/unknown-code";
import { Document, type Assets } from "./document";
import { say, sayOf } from "@/components/public/words";

/** The answer for an unknown code. Nothing in it depends on the request, so every unknown code gets the same answer. */
export function UnknownPage({ assets }: { assets: Assets }) {
  return (
    <Document assets={assets} title={say("Unknown code")} robots="noindex">
      <UnknownCode />
    </Document>
  );
}

interface NotCheckedProps {
  assets: Assets;
  /** The requested path and query. */
  address: string;
  /** The id of the request. */
  reference: string;
}

/** The service failed, or was called too often. The page says nothing about the credential. */
export function NotCheckedPage({ assets, ...request }: NotCheckedProps) {
  return (
    <Document assets={assets} title={say("This could not be checked")} robots="noindex">
      <PublicFrame>
        <Message icon={CircleHelp} title={say("This could not be checked")} tone="warning">
          <p>
            {say(
              "The service does not answer at the moment, or was asked too often from here. That says nothing for or against the credential. Wait a moment and try again.",
            )}
          </p>
          <a href={request.address} className={`${buttonLook("primary")} mt-4`}>
            {say("Try again")}
          </a>
          <p className="mt-4 text-xs">{say("Reference {reference}", { reference: request.reference })}</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}

interface NotDoneProps {
  assets: Assets;
  /** The path and query of the page to go back to. */
  address: string;
  reference: string;
  /** The service's message; null if only its log has the cause. */
  detail: string | null;
}

/** A submitted form could not be processed, or the page could not be rendered. Nothing was changed. */
export function NotDonePage({ assets, address, reference, detail }: NotDoneProps) {
  return (
    <Document assets={assets} title={say("This did not work")} robots="noindex">
      <PublicFrame footer={say("Nothing was changed.")}>
        <Message icon={CircleHelp} title={say("This did not work")} tone="warning">
          <p>
            {detail === null
              ? say("The service does not answer at the moment. Nothing was changed. Wait a moment and try again.")
              : sayOf(detail)}
          </p>
          <a href={address} className={`${buttonLook("primary")} mt-4`}>
            {say("Back")}
          </a>
          <p className="mt-4 text-xs">{say("Reference {reference}", { reference })}</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}
