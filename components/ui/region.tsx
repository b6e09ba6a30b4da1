"use client";
import { createContext, useContext, type ReactNode } from "react";
import { defaultRegion, type Region } from "@/server/core/dates";

const RegionContext = createContext<Region>(defaultRegion);

/** Sets the time zone and locale in which everything inside writes dates. */
export function RegionProvider({ region, children }: { region: Region; children: ReactNode }) {
  return <RegionContext value={region}>{children}</RegionContext>;
}

/** The time zone and locale in which dates are shown and typed here. */
export function useRegion(): Region {
  return useContext(RegionContext);
}
