/** Owns a picture in its frame: room kept while it loads, a calm sign where it cannot be had. Where it comes from is not its business. */
import { ImageOff } from "lucide-react";
import { useState } from "react";
import { cx } from "./cx";
import { Skeleton } from "./Skeleton";

interface PhotoProps {
  /** A URL, or nothing while it is looked for. */
  src: string | undefined;
  /** Description of the picture. */
  alt: string;
  /** Gives it its size and shape: `aspect-square w-full`. */
  className?: string;
}

export function Photo({ src, alt, className }: PhotoProps) {
  const [state, setState] = useState<{ src: string | undefined; is: "loading" | "shown" | "broken" }>({
    src,
    is: "loading",
  });
  const is = state.src === src ? state.is : "loading";
  return (
    <div className={cx("relative overflow-hidden rounded-large bg-sunken", className)}>
      {is === "loading" && <Skeleton className="absolute inset-0 rounded-none" />}
      {is === "broken" ? (
        <span role="img" aria-label={alt} className="absolute inset-0 grid place-items-center text-ink-3">
          <ImageOff aria-hidden />
        </span>
      ) : (
        src && (
          <img
            src={src}
            alt={alt}
            decoding="async"
            onLoad={() => setState({ src, is: "shown" })}
            onError={() => setState({ src, is: "broken" })}
            className={cx("absolute inset-0 size-full object-cover transition-opacity", is !== "shown" && "opacity-0")}
          />
        )
      )}
    </div>
  );
}
