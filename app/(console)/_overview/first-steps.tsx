"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Panel } from "@/components/ui/panel";
import { useSession } from "../_shell/session";

const one = { limit: 1, offset: 0 };

/** The steps from an empty organisation to its first credential. Completed steps are ticked. */
export function FirstSteps({ onIssue }: { onIssue(): void }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const templates = useQuery(trpc.templates.list.queryOptions({ limit: 100 }, { enabled: can("templates:read") }));
  const subjects = useQuery(trpc.subjects.list.queryOptions({ limit: 1 }, { enabled: can("subjects:read") }));
  const keys = useQuery(trpc.access.apiKeys.list.queryOptions(one, { enabled: can("keys:read") }));
  const endpoints = useQuery(trpc.webhooks.endpoints.list.queryOptions(one, { enabled: can("webhooks:read") }));
  const hasTemplate = templates.data?.data.some((template) => template.currentVersion !== null) ?? false;
  const hasSubject = (subjects.data?.data.length ?? 0) > 0;
  return (
    <Panel flush title="First steps" description="From here to the first credential takes a few minutes.">
      <ol className="divide-y divide-separator">
        <Step
          number={1}
          title="Publish a template"
          done={hasTemplate}
          action={
            can("templates:write") && (
              <ButtonLink href="/templates/new" variant={hasTemplate ? "outline" : "primary"}>
                New template
              </ButtonLink>
            )
          }
        >
          It says how a credential looks, what its public page shows, and how long it is valid.
        </Step>
        <Step
          number={2}
          title="Add the first people"
          done={hasSubject}
          action={
            can("subjects:write") && (
              <ButtonLink href="/subjects" variant="outline">
                Add a person
              </ButtonLink>
            )
          }
        >
          Your system sends them with <code className="font-mono text-xs">PUT /v1/subjects</code>. One by hand is enough
          to begin.
        </Step>
        <Step
          number={3}
          title="Issue a credential"
          done={false}
          action={
            can("credentials:issue") && (
              <Button
                variant={hasTemplate && hasSubject ? "primary" : "outline"}
                isDisabled={!hasTemplate || !hasSubject}
                onPress={onIssue}
              >
                Issue credential
              </Button>
            )
          }
        >
          It gets a page, a code and a QR code that anyone can verify, at once.
        </Step>
        <Step
          number={4}
          title="Make an API key"
          done={(keys.data?.total ?? 0) > 0}
          action={
            can("keys:write") && (
              <ButtonLink href="/keys" variant="outline">
                API keys
              </ButtonLink>
            )
          }
        >
          With it your systems do all of this by themselves. The{" "}
          <a href="/docs" target="_blank" rel="noopener" className="underline">
            API docs
          </a>{" "}
          have a quick start and an example of every call.
        </Step>
        <Step
          number={5}
          title="Register a webhook endpoint"
          done={(endpoints.data?.total ?? 0) > 0}
          action={
            can("webhooks:write") && (
              <ButtonLink href="/webhooks" variant="outline">
                Webhooks
              </ButtonLink>
            )
          }
        >
          Your systems hear of each change within milliseconds, signed.
        </Step>
      </ol>
    </Panel>
  );
}

function Step({
  number,
  title,
  done,
  action,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:flex-nowrap sm:px-5">
      <span
        className={`grid size-7 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular-nums ${done ? "border-transparent bg-success-soft text-success-soft-foreground" : "text-muted"}`}
      >
        {done ? (
          <>
            <Check className="size-4" aria-hidden="true" />
            <span className="sr-only">Done:</span>
          </>
        ) : (
          number
        )}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className={`text-sm font-medium ${done ? "text-muted" : ""}`}>{title}</p>
        <p className="text-[0.8125rem] text-pretty text-muted">{children}</p>
      </div>
      {action && <div className="shrink-0 max-sm:ps-11">{action}</div>}
    </li>
  );
}
