"use client";
import { Skeleton } from "@heroui/react";
import { useTemplateName } from "../_data/names";

export function TemplateName({ id }: { id: string }) {
  const name = useTemplateName(id);
  return name ? <>{name}</> : <Skeleton className="inline-block h-3.5 w-28 rounded-md align-middle" />;
}
