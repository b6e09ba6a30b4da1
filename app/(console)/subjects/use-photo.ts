import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** The photo of a subject as a page shows it; undefined while it loads, and where `id` is. */
export function usePhoto(id: string | undefined): string | undefined {
  const trpc = useTRPC();
  const photo = useQuery(
    trpc.subjects.photo.queryOptions(id ? { id, density: "3x", accept: "image/webp" } : skipToken),
  );
  return id ? photo.data : undefined;
}
