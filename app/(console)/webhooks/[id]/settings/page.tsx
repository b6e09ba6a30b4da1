import { EndpointSettings } from "./endpoint-settings";

export default function EndpointSettingsPage() {
  return <EndpointSettings />;
}
