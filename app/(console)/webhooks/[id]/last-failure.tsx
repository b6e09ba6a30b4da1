"use client";
import { CircleCheck, CircleX } from "lucide-react";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { EndpointView } from "@/server/webhooks/endpoints/view";
import { errorWords } from "../_parts/error-words";

/** When and how the endpoint last failed, and whether it has recovered since. */
export function LastFailure({ endpoint: e }: { endpoint: EndpointView }) {
  const look = "flex gap-2.5 border-t px-4 py-2.5 text-[0.8125rem] text-muted sm:px-5";
  if (e.lastFailureAt === null) return <p className={look}>No attempt has failed so far.</p>;
  const recovered = e.failingSince === null && e.lastSuccessAt !== null && e.lastSuccessAt > e.lastFailureAt;
  const Icon = recovered ? CircleCheck : CircleX;
  return (
    <div className={look}>
      <Icon className={`mt-0.5 size-4 shrink-0 ${recovered ? "text-success" : "text-danger"}`} aria-hidden="true" />
      <p className="min-w-0 flex-1 text-pretty">
        <span className="font-medium text-foreground">
          Last failure <Time at={e.lastFailureAt} />:
        </span>{" "}
        {e.lastFailureClass && `${lowered(errorWords[e.lastFailureClass].title)}. `}
        {e.lastFailureDetail}
        {recovered && " It has recovered since."}{" "}
        {e.lastFailureDeliveryId && (
          <Link
            href={`/webhooks/${e.id}?delivery=${e.lastFailureDeliveryId}`}
            className="font-medium whitespace-nowrap text-foreground underline underline-offset-2"
          >
            Show the delivery
          </Link>
        )}
      </p>
    </div>
  );
}

const lowered = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
