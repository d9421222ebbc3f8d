/** Choosing photos and videos for an invoice, and what of them is on its way, on the real store with no network. */
import { BufferTarget, CanvasSource, Output, WebMOutputFormat } from "mediabunny";
import { useLayoutEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  aClient,
  aPet,
  aPicture,
  aService,
  closePhone,
  FRIDAY,
  openPhone,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import { type Command, loadRest, newId } from "../../core";
import { business, save } from "../../data";
import { setSession, turnedDown } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import { compressVideo } from "../../data/videos/compress";
import { getVideo, haveSent, keepVideo } from "../../data/videos/videos";
import { ConfirmHost, ToastHost } from "../../ui";
import { InvoiceMedia, type Media } from "./InvoiceMedia";
import { InvoiceUploads } from "./InvoiceUploads";
import { SharedInvoice } from "./SharedInvoice";

const MB = 1024 * 1024;

let chosen: Media;

function Chooser() {
  const [media, setMedia] = useState<Media>({ photos: [], videos: [] });
  useLayoutEffect(() => {
    chosen = media;
  }, [media]);
  return (
    <>
      <InvoiceMedia media={media} onChange={setMedia} />
      <ToastHost />
    </>
  );
}

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
});

afterEach(async () => {
  await closePhone();
  Reflect.deleteProperty(navigator, "connection");
});

const addVideos = (...files: File[]) => userEvent.upload(page.getByLabelText("Add videos"), files);
const addPhotos = (...files: File[]) => userEvent.upload(page.getByLabelText("Add photos"), files);

/** A real video of a second, followed by so many bytes that say nothing. */
async function aFilm(name: string, filler: number): Promise<File> {
  const canvas = new OffscreenCanvas(1920, 1080);
  const context = canvas.getContext("2d");
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new CanvasSource(canvas, { codec: "vp8", bitrate: 2_000_000 });
  output.addVideoTrack(source);
  await output.start();
  for (let frame = 0; frame < 10; frame += 1) {
    context?.fillRect(frame * 100, 0, 100, 1080);
    await source.add(frame / 10, 0.1);
  }
  await output.finalize();
  // A `Void` element with a length of eight bytes (RFC 8794, 11.3.2).
  const head = new Uint8Array(9);
  head.set([0xec, 0x01]);
  new DataView(head.buffer).setUint32(5, filler);
  return new File([target.buffer ?? "", head, new Uint8Array(filler)], name, { type: "video/webm" });
}

test("photos and videos are chosen, looked at and removed again", async () => {
  await openPhone([]);
  await render(<Chooser />);
  await addPhotos(await aPicture("one.png"), await aPicture("two.png"));
  await expect.element(page.getByRole("img", { name: "Photo 2" })).toBeVisible();
  await addVideos(await aFilm("park.webm", MB));
  await expect.element(page.getByRole("list", { name: "Chosen videos" })).toHaveTextContent("park.webm");
  const [video] = chosen.videos;
  expect(await getVideo(business().store, video?.id ?? "")).toMatchObject({ name: "park.webm", waiting: true });
  await page.getByRole("button", { name: "Play park.webm" }).click();
  const player = page.getByRole("dialog", { name: "park.webm" });
  await vi.waitFor(() => expect(player.element().querySelector("video")?.videoWidth).toBe(1920));
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Remove photo 1" }).click();
  await page.getByRole("button", { name: "Remove park.webm" }).click();
  await expect.element(page.getByRole("list", { name: "Chosen videos" })).not.toBeInTheDocument();
  await expect.poll(() => business().store.run((db) => db.count("video_chunks"))).toBe(0);
  expect(chosen.photos).toHaveLength(1);
});

test("a video that many browsers cannot show is said when it is added", async () => {
  await openPhone([]);
  await render(<Chooser />);
  const film = await aFilm("old.webm", 1);
  // The name of a codec that no browser has.
  const bytes = new Uint8Array(await film.arrayBuffer());
  const place = bytes.findIndex((_, at) => new TextDecoder().decode(bytes.subarray(at, at + 5)) === "V_VP8");
  expect(place).not.toBe(-1);
  bytes.set(new TextEncoder().encode("V_OLD"), place);
  await addVideos(new File([bytes], "old.webm", { type: "video/webm" }));
  await expect
    .element(page.getByText("Many browsers cannot show old.webm. Your client can download it from the invoice page."))
    .toBeVisible();
  await expect.poll(() => chosen.videos).toHaveLength(1);
});

test("a file that is not taken is named with the reason", async () => {
  await openPhone([]);
  await render(<Chooser />);
  await addVideos(new File(["RIFF"], "old.avi", { type: "video/x-msvideo" }));
  const alert = page.getByRole("alert");
  const reason = "Unsupported file type (use MP4, MOV, or WebM)";
  await expect.element(alert).toHaveTextContent(`Failed to upload old.avi: ${reason}`);
  await addPhotos(new File(["no picture"], "note.jpg", { type: "image/jpeg" }));
  const other = "Unsupported file type (use JPEG, PNG, or HEIC)";
  await expect.element(alert).toHaveTextContent(`Failed to upload note.jpg: ${other}`);
});

test("an invoice has so many videos and no more", async () => {
  await openPhone([]);
  await render(<Chooser />);
  const clips = Array.from({ length: 6 }, (_, n) => new File(["clip"], `${n}.mp4`, { type: "video/mp4" }));
  await addVideos(...clips);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to upload 5.mp4: Videos cannot exceed 5");
  await expect.poll(() => chosen.videos).toHaveLength(5);
});

test("a large video is made smaller, with its progress", async () => {
  await openPhone([]);
  await render(<Chooser />);
  await addVideos(await aFilm("park.webm", 11 * MB));
  await expect.element(page.getByText("Compressing park.webm")).toBeVisible();
  await expect.element(page.getByText(/^Compressed park.webm from 11.\d MB to \d.\d MB$/)).toBeVisible();
  await expect.poll(() => chosen.videos[0]?.type).toBe("video/webm");
  expect(chosen.videos[0]?.size).toBeLessThan(MB);
  await page.getByRole("button", { name: "Play park.webm" }).click();
  const player = page.getByRole("dialog", { name: "park.webm" });
  const size = () => {
    const { videoWidth, videoHeight } = player.element().querySelector("video") ?? {};
    return [videoWidth, videoHeight];
  };
  await vi.waitFor(() => expect(size()).toEqual([1280, 720]));
});

test("a video is made smaller at one megabit a second", async () => {
  const configure = vi.spyOn(VideoEncoder.prototype, "configure");
  const options = { signal: new AbortController().signal, onBegin: () => undefined, onProgress: () => undefined };
  const compressed = await compressVideo(await aFilm("park.webm", 11 * MB), options);
  expect(compressed.kind).toBe("compressed");
  expect(configure.mock.calls.at(-1)?.[0]).toMatchObject({ width: 1280, height: 720, bitrate: 1_000_000 });
});

test("a large video that this browser cannot read is kept as it is", async () => {
  await openPhone([]);
  await render(<Chooser />);
  await addVideos(new File([new Uint8Array(11 * MB)], "odd.mp4", { type: "video/mp4" }));
  await expect.element(page.getByText("Compression of odd.mp4 failed. The original is uploaded.")).toBeVisible();
  await expect.poll(() => chosen.videos[0]?.size).toBe(11 * MB);
});

test("a browser that cannot make videos smaller says so and keeps the original", async () => {
  vi.stubGlobal("VideoEncoder", undefined);
  await openPhone([]);
  await render(<Chooser />);
  await addVideos(new File([new Uint8Array(11 * MB)], "park.webm", { type: "video/webm" }));
  const said = page.getByText("Compression is not supported in this browser. The original of park.webm is uploaded.");
  await expect.element(said).toBeVisible();
  await expect.poll(() => chosen.videos).toHaveLength(1);
  vi.unstubAllGlobals();
});

test("making a video smaller can be called off", async () => {
  const stopped = new AbortController();
  const film = await aFilm("park.webm", 11 * MB);
  const options = { signal: stopped.signal, onBegin: () => stopped.abort(), onProgress: () => undefined };
  await expect(compressVideo(film, options)).rejects.toThrow();
});

/** An invoice that was shared with a video, where only a mobile network is; the video's id. */
async function sharedWithVideo(): Promise<string> {
  Object.defineProperty(navigator, "connection", { value: { type: "cellular" }, configurable: true });
  const client = aClient({ name: "Sam" });
  const rex = aPet(client, { name: "Rex" });
  const done = aService(client, rex, { status: "completed" });
  await openPhone([...rowsOf(client, rex), { t: "service", d: done }]);
  const film = new File([new Uint8Array(2 * MB)], "park.mp4", { type: "video/mp4" });
  const { id } = await keepVideo(film, { name: film.name });
  const args = { id: newId(), client_id: client.id, services: [done.id], start_date: FRIDAY, end_date: FRIDAY };
  const command = { name: "share_invoice", args: { ...args, videos: [id] } } as unknown as Command;
  expect(await save(command, "Share an invoice with Sam", { videos: [id] })).toMatchObject({ ok: true });
  await render(
    <>
      <InvoiceUploads />
      <ConfirmHost />
      <ToastHost />
    </>,
  );
  return id;
}

const onTheirWay = page.getByRole("article", { name: "Videos on their way" });

test("a video that waits for Wi-Fi is shown until it has arrived", async () => {
  const id = await sharedWithVideo();
  const card = onTheirWay;
  await expect.element(card).toHaveTextContent("park.mp4Waits for Wi-Fi · 2.0 MB");
  await expect.element(card.getByRole("button", { name: "Send now" })).toBeVisible();
  await haveSent(business().store, id);
  business().photoUploaded(id);
  await expect.element(page.getByText("Uploaded 0 photo(s) and 1 video(s)")).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test("a video that the server refuses is not called uploaded", async () => {
  const id = await sharedWithVideo();
  await expect.element(onTheirWay).toBeVisible();
  await business().photoRefused(id, "It is too large.");
  await expect.element(onTheirWay).not.toBeInTheDocument();
  expect(business().phone.attentionCount()).toBe(1);
  await getVideo(business().store, id); // as what is said does
  expect(page.getByText(/^Uploaded/).elements()).toHaveLength(0);
});

test("an invoice that waits says what for, and is called shared by nobody meanwhile", async () => {
  vi.spyOn(window, "fetch").mockImplementation(() => Promise.resolve(new Response("", { status: 503 })));
  const video = await sharedWithVideo();
  await signInOnPhone();
  startSyncing(business());
  const args = saved()[0]?.args as { id: string };
  await render(
    <At path="/invoices">
      <SharedInvoice id={args.id} onClose={() => undefined} onOpen={() => undefined} />
    </At>,
  );
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText(/^Waits for Wi-Fi: the invoice waits on this phone\./)).toBeVisible();
  await expect.element(dialog.getByText(/is being shared/)).not.toBeInTheDocument();
  const piece = () => vi.mocked(window.fetch).mock.calls.filter(([path]) => path === "/api/videos");
  expect(piece()).toHaveLength(0);
  await dialog.getByRole("button", { name: "Send now" }).click();
  await expect.poll(() => piece().length).toBeGreaterThan(0);
  await expect.element(dialog.getByText(/^Waits to be sent: /)).toBeVisible();
  await turnedDown("token");
  await expect.element(dialog.getByText(/^Sign in to send: /)).toBeVisible();
  await expect.element(dialog.getByRole("link", { name: "Sign in" })).toBeVisible();
  await stopSyncing();
  await setSession(undefined);
  expect(await getVideo(business().store, video)).toMatchObject({ waiting: true });
});

test("a video that waits can be left out after a question, and its invoice goes without it", async () => {
  const id = await sharedWithVideo();
  const leaveOut = onTheirWay.getByRole("button", { name: "Leave park.mp4 out" });
  await leaveOut.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(saved()).toMatchObject([{ args: { videos: [id] } }]);
  await leaveOut.click();
  await page.getByRole("button", { name: "Leave it out" }).click();
  await expect.element(onTheirWay).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "share_invoice", args: { videos: [] } }]);
  await expect.poll(() => getVideo(business().store, id)).toBeUndefined();
  expect(business().phone.attentionCount()).toBe(0);
  expect(page.getByText(/^Uploaded/).elements()).toHaveLength(0);
});
