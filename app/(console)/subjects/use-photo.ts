import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

interface Pictured {
  id: string;
  photoUpdatedAt: string | null;
}

/**
 * The photo of a person as a page shows it, as a data URL; undefined while it loads, without a person or a photo. Each
 * photo of a person is kept by the time at which it was set: one that was replaced is never shown for the new one,
 * which somebody would then approve unseen.
 */
export function usePhoto(person: Pictured | null | undefined): string | undefined {
  const trpc = useTRPC();
  const photo = person?.photoUpdatedAt ? person : undefined;
  const options = trpc.subjects.photo.queryOptions(
    photo ? { id: photo.id, density: "3x", accept: "image/webp" } : skipToken,
  );
  const { data } = useQuery({ ...options, queryKey: keyed(options.queryKey, photo?.photoUpdatedAt) });
  return photo && data;
}

/**
 * The key with the time of the photo among its arguments. tRPC takes a key of three parts for one with a prefix, and what
 * forgets all queries of a procedure forgets these too.
 */
function keyed<K extends readonly unknown[]>([path, args]: K, photoUpdatedAt: string | null | undefined): K {
  return [path, { ...(args as object), photoUpdatedAt }] as unknown as K;
}
