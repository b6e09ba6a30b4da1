import { RefreshCw, Trash2 } from "lucide-react";
import { useCallback, useEffect, useState, type FormEvent } from "react";
import { formatExact } from "@/server/core/dates";
import { buttonLook, PlainButton } from "../plain-button";
import { say } from "../words";
import { forgetIssuer, keepIssuer, keptIssuers, UnknownIssuer, type KeptIssuer } from "./issuers";
import { ago } from "./offline-look";
import { readersRegion } from "./region";

/** The issuers whose signed codes this device can check, with the age of the device's data. */
export function IssuerList() {
  const [issuers, setIssuers] = useState<KeptIssuer[]>([]);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const show = useCallback(() => void keptIssuers().then(setIssuers), []);
  useEffect(() => {
    show();
    window.addEventListener("bonafide:issuers", show);
    return () => window.removeEventListener("bonafide:issuers", show);
  }, [show]);

  async function ask(slugs: string[]) {
    setAsking(true);
    setTrouble(null);
    try {
      for (const slug of slugs) await keepIssuer(slug);
    } catch (error) {
      setTrouble(
        error instanceof UnknownIssuer
          ? say(
              "There is no issuer with this short name here. It stands in the link of the issuer’s badges, and in Settings, Organisation.",
            )
          : say("The service was not reached. What this device knew before is kept."),
      );
    }
    show();
    setAsking(false);
  }

  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const slug = String(new FormData(form).get("issuer")).trim().toLowerCase();
    if (slug !== "") void ask([slug]).then(() => form.reset());
  }

  const region = readersRegion();
  const isOver = ({ lists }: KeptIssuer) =>
    Object.values(lists).some(({ validUntil }) => Date.parse(validUntil) <= Date.now());
  return (
    <section aria-labelledby="issuers">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="issuers" className="font-semibold">
          {say("Issuers on this device")}
        </h3>
        {issuers.length > 0 && (
          <PlainButton variant="outline" disabled={isAsking} onPress={() => void ask(issuers.map(({ slug }) => slug))}>
            <RefreshCw aria-hidden="true" /> {say("Refresh")}
          </PlainButton>
        )}
      </div>
      {issuers.length === 0 ? (
        <p className="mt-2 text-pretty text-muted">
          {say("None yet. An issuer is added when you check one of its credentials with a connection, or here.")}
        </p>
      ) : (
        <ul className="mt-2 divide-y divide-separator">
          {issuers.map((issuer) => (
            <li key={issuer.slug} className="flex items-start justify-between gap-3 py-2">
              <div className="min-w-0 wrap-anywhere">
                <p className="font-medium">
                  <bdi>{issuer.name}</bdi>
                  {!issuer.nameVerified && (
                    <span className="font-normal text-muted"> {say("(name not confirmed)")}</span>
                  )}
                </p>
                <p className="text-xs text-muted">
                  {say("Last updated {moment}, {ago}", {
                    moment: formatExact(issuer.keptAt, region),
                    ago: ago(issuer.keptAt, new Date()),
                  })}
                </p>
                {isOver(issuer) && (
                  <p className="text-xs font-medium text-danger">{say("Too old to be relied on: refresh it.")}</p>
                )}
              </div>
              <button
                type="button"
                aria-label={say("Remove {name}", { name: issuer.name })}
                className="rounded-md p-1.5 text-muted hover:text-foreground"
                onClick={() => void forgetIssuer(issuer.slug).then(show)}
              >
                <Trash2 className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="mt-3" onSubmit={add}>
        <label htmlFor="issuer" className="font-medium">
          {say("Add an issuer by its short name")}
        </label>
        <div className="mt-1.5 flex gap-2">
          <input
            id="issuer"
            name="issuer"
            required
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck="false"
            placeholder="northwind"
            className="input h-10 min-w-0 flex-1 px-3 text-base sm:text-sm"
          />
          <button type="submit" disabled={isAsking} className={`${buttonLook("secondary")} h-10`}>
            {say("Add")}
          </button>
        </div>
      </form>
      <p aria-live="polite" className="mt-2 text-pretty text-danger empty:hidden">
        {trouble}
      </p>
    </section>
  );
}
