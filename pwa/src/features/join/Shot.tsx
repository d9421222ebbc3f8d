/** Owns a picture of the real app in the frame of a phone, light or dark as the page is; loaded when it comes near. */

/** As they were taken; `npm run shots` takes them again. */
const WIDTH = 390;
const HEIGHT = 844;

export type ShotName = "schedule" | "routes" | "walk" | "report" | "requests";

interface ShotProps {
  name: ShotName;
  /** Description of the picture. */
  alt: string;
  /** In sight when the page opens. */
  isFirst?: boolean;
}

export function Shot({ name, alt, isFirst = false }: ShotProps) {
  return (
    <picture className="join-shot">
      <source media="(prefers-color-scheme: dark)" srcSet={`/screenshots/join/${name}-dark.webp`} />
      <img
        src={`/screenshots/join/${name}.webp`}
        alt={alt}
        width={WIDTH}
        height={HEIGHT}
        loading={isFirst ? "eager" : "lazy"}
        decoding="async"
      />
    </picture>
  );
}
