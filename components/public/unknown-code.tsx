import { SearchX } from "lucide-react";
import { CodeForm } from "./code-form";
import { PublicFrame } from "./frame";
import { Message } from "./message";
import { say } from "./words";

/** Says that no credential has this code, with possible reasons, and offers another try. */
export function UnknownCode() {
  return (
    <PublicFrame>
      <Message icon={SearchX} title={say("There is no credential with this code")}>
        <p>
          {say(
            "A code has 16 letters and digits, such as 7Q2M-0X4K-9VTB-C31E. Perhaps a character is missing or was misread. If it is right, then this service never issued such a credential: ask whoever gave it to you.",
          )}
        </p>
      </Message>
      <div className="mt-8 rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
        <CodeForm />
      </div>
    </PublicFrame>
  );
}
