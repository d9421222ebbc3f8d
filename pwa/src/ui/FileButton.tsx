/** Owns picking files: a native input under the look of a button, the one way that every phone's browser honors. */
import { type ReactNode, useId } from "react";

interface FileButtonProps {
  icon: ReactNode;
  /** The media types and endings that the browser offers. */
  accept: string;
  /** Opens the camera at once. */
  capture?: boolean;
  /** Several at once: `onFile` gets one after the other. */
  multiple?: boolean;
  disabled: boolean;
  onFile: (file: File | undefined) => Promise<void>;
  children: ReactNode;
  className?: string;
}

export function FileButton({
  icon,
  accept,
  capture,
  multiple,
  disabled,
  onFile,
  children,
  className,
}: FileButtonProps) {
  const id = useId();
  return (
    <span className={className}>
      <input
        id={id}
        type="file"
        accept={accept}
        {...(capture && { capture: "environment" as const })}
        multiple={multiple}
        disabled={disabled}
        className="peer sr-only"
        onChange={(event) => {
          const input = event.target;
          // The same file again must be a change, too.
          void pickEach(input.files, onFile).finally(() => {
            input.value = "";
          });
        }}
      />
      <label
        htmlFor={id}
        className="inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-large bg-card px-4 font-bold shadow-[inset_0_0_0_1px_var(--color-line)] transition-colors peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-scheduled peer-disabled:opacity-45 hover:bg-sunken [&>svg]:size-5"
      >
        {icon}
        {children}
      </label>
    </span>
  );
}

async function pickEach(files: FileList | null, onFile: FileButtonProps["onFile"]): Promise<void> {
  if (!files?.length) await onFile(undefined);
  for (const file of files ?? []) await onFile(file);
}
