/** The part of libheif's JavaScript interface that the app uses (https://github.com/strukturag/libheif). */
declare module "libheif-js/libheif-wasm/libheif.js" {
  export interface HeifImage {
    /** In pixels, turned as the file says. */
    get_width(): number;
    get_height(): number;
    /** Decodes into `pixels`, which is as large as the image; hears `null` where that fails. */
    display(pixels: ImageData, then: (pixels: ImageData | null) => void): void;
    free(): void;
  }
  interface Libheif {
    HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
  }
  export default function libheif(options: { wasmBinary: ArrayBuffer }): Libheif;
}
