import { DeliveryList } from "../_parts/delivery-list";

export default async function EndpointPage({ params }: { params: Promise<{ id: string }> }) {
  return <DeliveryList endpointId={(await params).id} />;
}
