"use client";
import { RouterProvider, Toast } from "@heroui/react";
import { useRouter } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { useTheme } from "@/components/theme/use-theme";
import { TrpcProvider } from "@/components/trpc/client";
import { FocusKeeper } from "./focus-keeper";

/** The providers of every page of the console and the sign-in: data, URL state, navigation, toasts. */
export function ConsoleProviders({ children }: { children: ReactNode }) {
  const router = useRouter();
  // Follows the system's theme while the page is open.
  useTheme();
  return (
    <TrpcProvider>
      <NuqsAdapter>
        <RouterProvider navigate={(href) => router.push(href)}>
          <FocusKeeper />
          {children}
          <Toast.Provider placement="bottom end" width={380} />
        </RouterProvider>
      </NuqsAdapter>
    </TrpcProvider>
  );
}
