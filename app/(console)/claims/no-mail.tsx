"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Notice } from "@/components/ui/notice";

/** Warns that nobody can claim if the service sends no e-mail. */
export function NoMail() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.claims.readiness.queryOptions({}));
  if (data?.sendsMail !== false) return null;
  return (
    <div className="mb-5">
      <Notice tone="warning" title="Nobody can claim yet">
        Each person proves an e-mail address with a code, and this service sends no e-mail. Whoever runs it has to set
        SMTP_URL and MAIL_FROM.
      </Notice>
    </div>
  );
}
