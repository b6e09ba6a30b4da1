import { useState } from "react";
import { Decision, type Decided } from "@/components/public/decision";
import { gotBefore } from "@/components/public/use-freshness";
import { propertiesOf } from "./islands";

interface Properties {
  verification: Decided;
  recheck: string;
}

/** The decision of a credential's page. It requests the page again and shows changes. */
export function LiveDecision(served: Properties) {
  const [shown, setShown] = useState(() => {
    if (isKept()) gotBefore(served.verification.checkedAt);
    return served;
  });
  async function askAnew() {
    const main = await newMain();
    delete document.documentElement.dataset["kept"];
    const decision = main.querySelector<HTMLElement>("[data-island=decision]");
    if (decision && !isOtherwise(main)) return setShown(propertiesOf<Properties>(decision));
    document.querySelector("main")!.replaceWith(main);
    main.dispatchEvent(new Event("bonafide:main", { bubbles: true }));
  }
  return <Decision {...shown} askAnew={askAnew} />;
}

/** Whether the service worker returned a kept page. */
const isKept = () => document.documentElement.dataset["kept"] !== undefined;

/** The rest of the page besides the decision, as it was served. */
let besideDecision = skeletonOf(document.querySelector("main")!);

/** Whether the rest of the page has changed since it was last shown. Remembers the new content. */
function isOtherwise(main: Element): boolean {
  const before = besideDecision;
  besideDecision = skeletonOf(main);
  return before !== besideDecision;
}

function skeletonOf(main: Element): string {
  const copy = main.cloneNode(true) as Element;
  copy.querySelector("[data-island=decision]")?.replaceChildren();
  copy.querySelector("[data-island=decision]")?.removeAttribute("data-properties");
  copy.querySelector("[data-kept-notice]")?.remove();
  return copy.innerHTML;
}

/** Loads the present page. Rejects with the reason in words. */
async function newMain(): Promise<Element> {
  const answer = await fetch(window.location.href, { cache: "no-store", headers: { accept: "text/html" } }).catch(
    () => {
      throw new Error("no connection");
    },
  );
  if (!answer.ok) throw new Error("the service does not answer");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = page.querySelector("main");
  if (!main) throw new Error("the service does not answer");
  document.title = page.title;
  return document.adoptNode(main);
}
