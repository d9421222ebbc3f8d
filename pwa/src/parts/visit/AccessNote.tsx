/** Owns how one gets in, closed until a visit is near: whoever looks over a shoulder reads no door code. */
import { ChevronDown, KeyRound } from "lucide-react";

interface AccessNoteProps {
  title?: string;
  text: string;
  isNear: boolean;
}

export function AccessNote({ title = "Access notes", text, isNear }: AccessNoteProps) {
  return (
    <details open={isNear} className="group rounded-large bg-tag-soft font-medium text-tag-ink">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 px-4 [&::-webkit-details-marker]:hidden">
        <KeyRound aria-hidden className="size-5 shrink-0" />
        <span className="flex-1">{title}</span>
        <ChevronDown aria-hidden className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <p dir="auto" className="px-4 pb-4 whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
    </details>
  );
}
