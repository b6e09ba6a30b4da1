import { ButtonLink } from "@/components/ui/button-link";
import { Panel } from "@/components/ui/panel";
import type { RouterOutputs } from "@/server/trpc/root";
import { kindWords } from "../../messages/words";

/** Shows which e-mails holders of the template's credentials get, with a link to change them. */
export function MessagesPanel({ template: { id, messages } }: { template: RouterOutputs["templates"]["get"] }) {
  return (
    <Panel
      title="E-mails to holders"
      actions={
        <ButtonLink href={`/templates/${id}/messages`} variant="outline" size="sm">
          Choose and preview
        </ButtonLink>
      }
    >
      {messages.automatic.length > 0 ? (
        <ul className="list-disc space-y-1 ps-5 text-[0.8125rem]">
          {messages.automatic.map((kind) => (
            <li key={kind}>
              {kindWords[kind]}
              {kind === "expiring" && (
                <span className="text-muted">, {messages.expiringDays} days before its expiry</span>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-[0.8125rem] text-muted">Nothing is sent automatically.</p>
      )}
    </Panel>
  );
}
