import { VerifySamples } from "./verify-samples";

export default function VerifyPage() {
  return <VerifySamples />;
}
