/** Owns taking or picking one photo, with its preview; what is wrong with a file is the core's to say. */
import { Camera, ImageUp, Trash2 } from "lucide-react";
import { useState } from "react";
import { fieldReader, type WrittenField } from "../core";
import { type StoredPhoto, useBlobUrl, usePhotoUrl } from "../data";
import { preparePhoto } from "../data/photos/preparePhoto";
import { Avatar, Button, Spinner, useBusy } from "../ui";
import { FileButton } from "../ui/FileButton";
import { ReaderHint } from "../ui/Readers";

/** File types that the picker offers, for `accept`; the bytes decide. */
export const PHOTOS = "image/jpeg,image/png,image/heic,image/heif,.heic,.heif";

interface PhotoPickerProps {
  /** Whose photo: for its label and its stand-in. */
  name: string;
  photo: string | null;
  /** Readers of it beside the person who picks it. */
  reader: WrittenField;
  /** Photos of the form that are not saved yet. */
  unsaved: readonly StoredPhoto[];
  onPick: (photo: StoredPhoto) => void;
  onRemove: () => void;
}

export function PhotoPicker({ name, photo, reader, unsaved, onPick, onRemove }: PhotoPickerProps) {
  const { busy, run } = useBusy();
  const [error, setError] = useState<string>();
  const shown = useShownPhoto(photo, unsaved);

  const pick = async (file: File | undefined) => {
    const prepared = await preparePhoto(file);
    setError(prepared.ok ? undefined : prepared.text);
    if (prepared.ok) onPick(prepared.photo);
  };
  const choose = (file: File | undefined) => run(() => pick(file));

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="relative">
        <Avatar name={name} src={shown} size="huge" />
        {busy && (
          <span className="absolute inset-0 grid place-items-center rounded-full bg-veil text-white">
            <Spinner label="Preparing the photo" />
          </span>
        )}
      </span>
      <div className="flex min-w-[min(100%,9rem)] flex-1 flex-wrap gap-2">
        <FileButton
          icon={<Camera aria-hidden />}
          accept={PHOTOS}
          capture
          className="md:hidden"
          onFile={choose}
          disabled={busy}
        >
          Take photo
        </FileButton>
        <FileButton icon={<ImageUp aria-hidden />} accept={PHOTOS} onFile={choose} disabled={busy}>
          Choose photo
        </FileButton>
        {photo && (
          <Button kind="plain" icon={<Trash2 aria-hidden className="size-5" />} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <p className="w-full text-14 text-ink-2">
        <ReaderHint reader={fieldReader(reader)} />
      </p>
      {error && (
        <p role="alert" className="w-full text-14 font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** A photo's URL, also while it is only in the form. */
export function useShownPhoto(photo: string | null, unsaved: readonly StoredPhoto[]): string | undefined {
  const taken = useBlobUrl(unsaved.find((it) => it.id === photo)?.full);
  const known = usePhotoUrl(photo);
  return taken ?? known;
}
