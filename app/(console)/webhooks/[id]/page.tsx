import { DeliveryList } from "./delivery-list";

export default function EndpointPage() {
  return <DeliveryList />;
}
