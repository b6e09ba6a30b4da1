import { Button } from "@heroui/react";
import { Notice } from "@/components/ui/notice";
import type { UnknownEncoding } from "./read-sample";

interface Props {
  lines: UnknownEncoding["lines"];
  onWestern(): void;
}

/** Asks whether a sample that is not Unicode is Windows-1252, because a wrong guess would garble names. */
export function WhichEncoding({ lines, onWestern }: Props) {
  return (
    <Notice tone="warning" title="How is this file encoded?">
      <p>It is not Unicode (UTF-8). Read as Western European (Windows-1252), it says:</p>
      <ul className="my-2 space-y-1">
        {lines.map(({ line, text }) => (
          <li key={line} className="wrap-anywhere">
            Line {line}: <bdi className="font-mono text-xs">{text}</bdi>
          </li>
        ))}
      </ul>
      <p className="mb-3">
        If every letter is right, your files are Windows-1252. If not, save the file as UTF-8 and choose it again.
      </p>
      <Button variant="outline" size="sm" onPress={onWestern}>
        The letters are right
      </Button>
    </Notice>
  );
}
