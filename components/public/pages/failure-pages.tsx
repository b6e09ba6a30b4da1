import { CircleHelp } from "lucide-react";
import { PublicFrame } from "@/components/public/frame";
import { Message } from "@/components/public/message";
import { buttonLook } from "@/components/public/plain-button";
import { UnknownCode } from "@/components/public/unknown-code";
import { Document, type Assets } from "./document";

/** What an unknown code is answered with. Nothing in it depends on the request, so every unknown code gets the same. */
export function UnknownPage({ assets }: { assets: Assets }) {
  return (
    <Document assets={assets} title="Unknown code" robots="noindex">
      <UnknownCode />
    </Document>
  );
}

/** The service itself is not well, or asked too often. Nothing is said of the credential. */
export function NotCheckedPage({ assets, reference }: { assets: Assets; reference: string }) {
  return (
    <Document assets={assets} title="This could not be checked" robots="noindex">
      <PublicFrame>
        <Message icon={CircleHelp} title="This could not be checked" tone="warning">
          <p>
            The service does not answer at the moment, or was asked too often from here. That says nothing for or
            against the credential. Wait a moment and try again.
          </p>
          {/* An empty address is the page's own. */}
          <a href="" className={`${buttonLook("primary")} mt-4`}>
            Try again
          </a>
          <p className="mt-4 text-xs">Reference {reference}</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}
