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

interface NotCheckedProps {
  assets: Assets;
  /** The path and query that were asked for. */
  address: string;
  /** The id of the request. */
  reference: string;
}

/** The service itself is not well, or asked too often. Nothing is said of the credential. */
export function NotCheckedPage({ assets, ...request }: NotCheckedProps) {
  return (
    <Document assets={assets} title="This could not be checked" robots="noindex">
      <PublicFrame>
        <Message icon={CircleHelp} title="This could not be checked" tone="warning">
          <p>
            The service does not answer at the moment, or was asked too often from here. That says nothing for or
            against the credential. Wait a moment and try again.
          </p>
          <a href={request.address} className={`${buttonLook("primary")} mt-4`}>
            Try again
          </a>
          <p className="mt-4 text-xs">Reference {request.reference}</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}
