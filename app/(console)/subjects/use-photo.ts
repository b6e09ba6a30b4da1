import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

interface Pictured {
  id: string;
  photoUpdatedAt: string | null;
}

/**
 * A person's photo as a data URL; undefined while it loads, and without a person or photo. Photos are cached by the
 * time at which they were set. A replaced photo is therefore never shown instead of the new one, which somebody would
 * then approve without having seen it.
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
 * Builds the query key with the time of the photo among its arguments. tRPC treats a key of three parts as a prefix.
 * Invalidating all queries of the procedure also removes these.
 */
function keyed<K extends readonly unknown[]>([path, args]: K, photoUpdatedAt: string | null | undefined): K {
  return [path, { ...(args as object), photoUpdatedAt }] as unknown as K;
}
