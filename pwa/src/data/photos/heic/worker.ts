/** The worker that decodes HEIC, off the thread that a finger waits for: it is started for one photo and ends with it. */
import libheif, { type HeifImage } from "libheif-js/libheif-wasm/libheif.js";
// Made by the bundler, which the linter does not ask.
// oxlint-disable-next-line import/default
import wasmUrl from "libheif-js/libheif-wasm/libheif.wasm?url";

export type Decoded = { bitmap: ImageBitmap } | { failed: string };

/** Most pixels of an image, the limit that the server decodes with; the cameras of phones stay below it by default. */
const MAX_PIXELS = 50_000_000;

self.onmessage = async ({ data }: MessageEvent<File>) => {
  try {
    const bitmap = await decode(data);
    self.postMessage({ bitmap } satisfies Decoded, { transfer: [bitmap] });
  } catch (error) {
    self.postMessage({ failed: String(error) } satisfies Decoded);
  }
};

async function decode(file: File): Promise<ImageBitmap> {
  const wasm = await fetch(wasmUrl);
  const { HeifDecoder } = libheif({ wasmBinary: await wasm.arrayBuffer() });
  // The first one is what the file shows; a burst or a depth map may follow.
  const [image] = new HeifDecoder().decode(new Uint8Array(await file.arrayBuffer()));
  if (!image) throw new Error("There is no image in the file.");
  return createImageBitmap(await pixelsOf(image));
}

function pixelsOf(image: HeifImage): Promise<ImageData> {
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_PIXELS) throw new Error("The image is too large.");
  return new Promise((resolve, reject) => {
    image.display(new ImageData(width, height), (pixels) => {
      if (pixels) resolve(pixels);
      else reject(new Error("The image cannot be decoded."));
    });
  });
}
