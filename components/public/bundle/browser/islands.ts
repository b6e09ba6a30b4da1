import { h, hydrate, type ComponentChild } from "preact";

/** Components by the names of their islands. They are written for React, whose types Preact does not know. */
type Islands = Record<string, (properties: never) => unknown>;
type Component = (properties: object) => ComponentChild;

/** Hydrates the islands below an element (components/public/island.tsx). */
export function hydrateIslands(below: ParentNode, islands: Islands): void {
  for (const place of below.querySelectorAll<HTMLElement>("[data-island]")) {
    const component = islands[place.dataset["island"]!] as Component | undefined;
    if (component) hydrate(h(component, propertiesOf(place)), place);
  }
}

export const propertiesOf = <Properties extends object>(place: HTMLElement): Properties =>
  JSON.parse(place.dataset["properties"]!) as Properties;
