"use client";
import { Filter } from "@/components/ui/filter";
import { Narrowed } from "@/components/ui/narrowed";
import { nameOfEndpoint, useEndpoints } from "./endpoint-names";

/** Filters a list by endpoint. A deleted endpoint is shown by its id. */
export function EndpointFilter({ value, onChange }: { value: string | null; onChange(value: string | null): void }) {
  const { data } = useEndpoints();
  const options =
    data?.map((endpoint) => ({
      value: endpoint.id,
      label: nameOfEndpoint(endpoint),
      ...(endpoint.description && { description: endpoint.url }),
    })) ?? [];
  if (value && data && !options.some((option) => option.value === value))
    return <Narrowed label="Endpoint" value={value} name="Deleted" onClear={() => onChange(null)} />;
  return (
    <Filter<string>
      label="Endpoint"
      any="Any endpoint"
      value={value}
      onChange={onChange}
      options={options}
      className="w-52"
    />
  );
}
