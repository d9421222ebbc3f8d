/** The messages' screen on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aConversation, minuteOf } from "../../../test/conversation";
import {
  aClient,
  aPet,
  closePhone,
  type FeedRow,
  FRIDAY,
  fillThisDisk,
  openPhone,
  pullRows,
  rowsOf,
  saved,
} from "../../../test/phone";
import { type AttentionEntry, type Client, loadRest, newId, type Pet, type Phone, type Refusal } from "../../core";
import { business, save } from "../../data";
import { heard, setConnection } from "../../data/sync/live";
import { ConfirmHost, ToastHost } from "../../ui";
import MessagesScreen from "./MessagesScreen";

const THURSDAY = "2026-11-19";

let dana: Client;
let rex: Pet;

const show = (at = "/messages") =>
  render(
    <At path={at}>
      <main className="flex h-dvh flex-col overflow-y-auto">
        <MessagesScreen />
      </main>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

const open = (...rows: FeedRow[]) => openPhone([...rowsOf(dana, rex), ...rows]);

const thread = () => page.getByRole("log", { name: "Messages with Dana Reyes" });
const composer = () => page.getByRole("textbox", { name: "Message", exact: true });
const row = (name: string) => page.getByRole("list", { name: "Conversations" }).getByRole("link", { name });

/** Rows of a conversation about greetings and bones, a day apart. */
const talk = (reading = { sitter_read: 2, client_read: 1 }): FeedRow[] =>
  aConversation(
    dana,
    [
      { by: "client", content: "Is Rex well?", at: minuteOf(THURSDAY, 0) },
      { by: "sitter", content: "He sleeps", at: minuteOf(FRIDAY, 0) },
      { by: "client", content: "See https://bones.example/rex.", at: minuteOf(FRIDAY, 2) },
      { by: "sitter", content: "Lovely", at: minuteOf(FRIDAY, 9) },
    ],
    reading,
  );

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T10:10:00Z") });
  await loadRest();
  dana = aClient({ name: "Dana Reyes", email: "dana@example.com" });
  rex = aPet(dana, { name: "Rex" });
  await page.viewport(390, 844);
});

afterEach(async () => {
  setConnection(undefined);
  await closePhone();
  vi.useRealTimers();
});

test("with none it welcomes, and both ways lead to those who can be written to", async () => {
  await openPhone([...rowsOf(dana, rex), ...rowsOf(aClient({ name: "Nobody Reads" }))]);
  await show();
  await page.getByRole("button", { name: "Browse Contacts" }).click();
  await expect.element(page.getByRole("region", { name: "Existing clients" })).toBeVisible();
  await expect.element(page.getByText("Nobody Reads")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await page.getByRole("main").getByRole("button", { name: "Start New Conversation" }).last().click();
  await expect.element(page.getByRole("searchbox", { name: "Search contacts" })).toHaveFocus();
  await page.getByRole("button", { name: /Dana Reyes/ }).click();
  await expect.element(page.getByText("Say hello to Dana Reyes.")).toBeVisible();
  expect(saved()).toEqual([{ name: "start_conversation", args: { client_id: dana.id } }]);
});

test("a conversation stands in the list with its last words, when they were said, and what is new", async () => {
  await open(...talk({ sitter_read: 0, client_read: 1 }));
  await show();
  await expect.element(row("Dana Reyes")).toHaveTextContent(/Rex.*You: Lovely/);
  await expect.element(row("Dana Reyes")).toHaveTextContent("1m ago");
  await expect.element(row("Dana Reyes")).toHaveTextContent("2 unread messages");
  await page.getByRole("tab", { name: "Archived" }).click();
  await expect.element(page.getByText("No archived conversations")).toBeVisible();
});

test("a single message that is new is read out in the singular, in the list and among the contacts", async () => {
  await open(...talk({ sitter_read: 1, client_read: 1 }));
  await show();
  await expect.element(row("Dana Reyes")).toHaveAccessibleName(/ 1 unread message( |$)/);
  await page.getByRole("button", { name: "Start New Conversation" }).first().click();
  const contact = page.getByRole("button", { name: /Dana Reyes/ });
  await expect.element(contact).toHaveAccessibleName(/ 1 unread message$/);
});

test("what was said stands under its day, after five minutes under its time, and what is a link leads there", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  const friday = page.getByRole("region", { name: "Today" });
  await expect.element(page.getByRole("region", { name: "Yesterday" })).toHaveTextContent("Is Rex well?");
  await expect.element(friday.getByText("10:00 AM")).toBeVisible();
  await expect.element(friday.getByText("10:09 AM")).toBeVisible();
  await expect.element(friday.getByText("10:02 AM")).not.toBeInTheDocument();
  await expect.element(friday.getByRole("link")).toHaveAttribute("href", "https://bones.example/rex");
  await expect.element(friday.getByText("Waits for a login")).toBeVisible();
});

test("Enter sends, Shift and Enter add a line, and what waits says so", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await composer().fill("On my way");
  await userEvent.keyboard("{Shift>}{Enter}{/Shift}See you");
  await expect.element(composer()).toHaveValue("On my way\nSee you");
  await userEvent.keyboard("{Enter}");
  await expect.element(composer()).toHaveValue("");
  await expect.element(thread()).toHaveTextContent("On my way See you");
  await expect.element(page.getByText(/Sending|Waits for a connection/)).toBeVisible();
  expect(saved()).toMatchObject([{ name: "send_message", args: { content: "On my way\nSee you", photo: null } }]);
});

test("nothing is sent of nothing", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await composer().fill("  ");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Write a message or choose an image")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("characters are counted beyond 500, and in red beyond 1000", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  const count = page.getByText(/characters$/);
  await composer().fill("a".repeat(500));
  await expect.element(count).not.toBeInTheDocument();
  await composer().fill("a".repeat(501));
  await expect.element(count).toHaveTextContent("501 characters");
  await expect.element(count).not.toHaveClass("text-danger");
  await composer().fill("a".repeat(1001));
  await expect.element(count).toHaveClass("text-danger");
});

test("what was typed and not sent is there when the conversation is opened again", async () => {
  await open(...talk());
  const screen = await show(`/messages/${dana.id}`);
  await composer().fill("The key is");
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await row("Dana Reyes").click();
  await expect.element(composer()).toHaveValue("The key is");
  await screen.unmount();
  await show(`/messages/${dana.id}`);
  await expect.element(composer()).toHaveValue("The key is");
});

test("what is seen is read, and the line above what was new stays", async () => {
  await open(...talk({ sitter_read: 1, client_read: 0 }));
  await show(`/messages/${dana.id}`);
  await expect.element(page.getByText("New", { exact: true })).toBeVisible();
  await expect.poll(saved).toMatchObject([{ name: "mark_conversation_read", args: { id: dana.id } }]);
  await expect.element(page.getByText("New", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await expect.element(row("Dana Reyes")).not.toHaveTextContent("unread");
});

const many = (count: number): FeedRow[] =>
  aConversation(
    dana,
    Array.from({ length: count }, (_, place) => ({
      by: place % 2 ? ("sitter" as const) : ("client" as const),
      content: `Words ${place + 1}`,
      at: minuteOf(FRIDAY, place / 100),
    })),
    { sitter_read: count, client_read: count },
  );

test("older messages come in steps of 50, and what is read stays where it is", async () => {
  await open(...many(180));
  await show(`/messages/${dana.id}`);
  await expect.element(page.getByText("Words 180", { exact: true })).toBeInViewport();
  await expect.element(page.getByText("Words 130", { exact: true })).not.toBeInTheDocument();
  const box = thread().element();
  const readAt = () => page.getByText("Words 134", { exact: true }).element().getBoundingClientRect().top;
  page.getByText("Words 134", { exact: true }).element().scrollIntoView();
  await new Promise(requestAnimationFrame);
  const before = readAt();
  await expect.element(page.getByText("Words 81", { exact: true })).toBeInTheDocument();
  expect(Math.abs(readAt() - before)).toBeLessThan(3);
  for (const words of ["Words 31", "Words 1"]) {
    box.scrollTop = 0;
    await expect.element(page.getByText(words, { exact: true })).toBeInTheDocument();
  }
});

test("whoever reads older ones is not torn away, and is led to what came", async () => {
  await open(...many(60));
  await show(`/messages/${dana.id}`);
  await expect.element(page.getByText("Words 60", { exact: true })).toBeInViewport();
  thread().element().scrollTop = 0;
  await expect.element(page.getByText("Words 1", { exact: true })).toBeInTheDocument();
  await page.getByRole("button", { name: "To the newest" }).click();
  await expect.element(page.getByText("Words 60", { exact: true })).toBeInViewport();
  await expect.element(page.getByRole("button", { name: "To the newest" })).not.toBeInTheDocument();
});

const image = async (type: string, bytes?: number): Promise<File> => {
  const canvas = new OffscreenCanvas(2000, 1000);
  canvas.getContext("2d")?.fillRect(0, 0, 2000, 1000);
  const blob = await canvas.convertToBlob({ type });
  return new File([blob, new Uint8Array(Math.max(0, (bytes ?? 0) - blob.size))], "picture", { type: blob.type });
};

/** It never leaves the page, as what is uploaded does. */
async function paste(file: File): Promise<void> {
  await expect.element(composer()).toBeEnabled();
  const clipboardData = new DataTransfer();
  clipboardData.items.add(file);
  composer()
    .element()
    .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

test("an image is made small, shown before it is sent, and goes with the words", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await page.getByLabelText("Add an image").upload(await image("image/webp"));
  await expect.element(page.getByAltText("To be sent")).toBeVisible();
  await page.getByRole("button", { name: "Remove the image" }).click();
  await expect.element(page.getByAltText("To be sent")).not.toBeInTheDocument();
  await page.getByLabelText("Add an image").upload(await image("image/png"));
  await expect.element(page.getByAltText("To be sent")).toBeVisible();
  await composer().fill("Look");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.element(page.getByRole("button", { name: "Open the image" })).toBeVisible();
  const [photo] = business().phone.photosToUpload();
  expect(saved()).toMatchObject([{ name: "send_message", args: { content: "Look", photo } }]);
  const stored = await business().store.getPhoto(photo ?? "");
  const { width, height } = await createImageBitmap(stored?.full ?? new Blob());
  expect([stored?.full.type, width, height]).toEqual(["image/jpeg", 1024, 512]);
  await page.getByRole("button", { name: "Open the image" }).click();
  await expect.element(page.getByAltText("Sent with a message")).toBeVisible();
});

test("only images are taken, and none of 25 MB; of what is smaller counts what is sent", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  const input = page.getByLabelText("Add an image");
  await input.upload(new File(["Words"], "words.txt", { type: "text/plain" }));
  await expect.element(page.getByText("Only image files are supported")).toBeVisible();
  await paste(await image("image/png", 25 * 1024 * 1024));
  await expect.element(page.getByText("File size must be less than 5MB")).toBeVisible();
  await paste(await image("image/png", 6 * 1024 * 1024));
  await expect.element(page.getByAltText("To be sent")).toBeVisible();
  await expect.element(page.getByText("File size must be less than 5MB")).not.toBeInTheDocument();
  await input.upload(new File(["No image"], "image.png", { type: "image/png" }));
  await expect.element(page.getByText("Only image files are supported")).toBeVisible();
});

test("a quick reply stands ready to be sent", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await page.getByRole("button", { name: "Quick replies" }).click();
  await page.getByRole("menuitem", { name: "I'm on my way." }).click();
  await expect.element(composer()).toHaveValue("I'm on my way.");
  await expect.element(composer()).toHaveFocus();
});

test("archived, it stands in the archive, and can be had back", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect.element(page.getByRole("tab", { name: "Inbox" })).toBeVisible();
  await expect.element(row("Dana Reyes")).not.toBeInTheDocument();
  await page.getByRole("tab", { name: "Archived" }).click();
  await row("Dana Reyes").click();
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: "Move to inbox" }).click();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await page.getByRole("tab", { name: "Inbox" }).click();
  await expect.element(row("Dana Reyes")).toBeVisible();
  expect(saved().map((it) => it.args)).toMatchObject([{ archived: true }, { archived: false }]);
});

test("names and words are searched, in the archive, too", async () => {
  const amir = aClient({ name: "Amir Haddad", email: "amir@example.com" });
  const away = aConversation(amir, [{ by: "client", content: "The blue door", at: minuteOf(THURSDAY, 0) }], {
    archived: true,
    sitter_read: 1,
  });
  await open(...talk(), ...rowsOf(amir), ...away);
  await show();
  const search = page.getByRole("searchbox", { name: "Search messages" });
  await search.fill("BLUE");
  await expect.element(row("Amir Haddad")).toHaveTextContent("The blue door");
  await expect.element(row("Dana Reyes")).not.toBeInTheDocument();
  await search.fill("rex");
  await expect.element(row("Dana Reyes")).toBeVisible();
  await search.fill("nobody said this");
  await expect.element(page.getByText("Nothing found for “nobody said this”")).toBeVisible();
});

test("a search that has more than it shows says so", async () => {
  const said = [{ by: "client" as const, content: "The blue door", at: minuteOf(FRIDAY, 0) }];
  const kims = Array.from({ length: 101 }, (_, place) => aClient({ name: `Kim ${place}`, email: "kim@example.com" }));
  await open(...kims.flatMap((kim) => [...rowsOf(kim), ...aConversation(kim, said)]));
  await show();
  const search = page.getByRole("searchbox", { name: "Search messages" });
  await search.fill("kim");
  await expect.element(page.getByText(/^At most 100 conversations are shown/)).toBeInTheDocument();
  await search.fill("kim 7");
  await expect.element(row("Kim 77")).toBeVisible();
  await expect.element(page.getByText(/^At most/)).not.toBeInTheDocument();
});

test("what was found opens where it was said, and from there one goes on to what is older, and back", async () => {
  await open(...many(300));
  await show();
  const search = page.getByRole("searchbox", { name: "Search messages" });
  await search.fill("Words 120");
  await row("Dana Reyes").click();
  await expect.element(page.getByText("Words 120", { exact: true })).toBeInViewport();
  expect(document.activeElement?.textContent).toContain("Words 120");
  await expect.element(page.getByText("Words 101", { exact: true })).toBeInTheDocument();
  await expect.element(page.getByText("Words 100", { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByText("Words 300", { exact: true })).toBeInTheDocument();
  thread().element().scrollTop = 0;
  await expect.element(page.getByText("Words 51", { exact: true })).toBeInTheDocument();
  await page.getByRole("button", { name: "To the newest" }).click();
  await expect.element(page.getByText("Words 300", { exact: true })).toBeInViewport();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await expect.element(search).toHaveValue("Words 120");
  await expect.element(row("Dana Reyes")).toHaveTextContent("Words 120");
});

test("an address that names a message which is not there opens at the newest", async () => {
  await open(...many(60));
  await show(`/messages/${dana.id}?message=${newId()}`);
  await expect.element(page.getByText("Words 60", { exact: true })).toBeInViewport();
  await expect.element(page.getByText("Words 11", { exact: true })).toBeInTheDocument();
  await expect.element(page.getByText("Words 10", { exact: true })).not.toBeInTheDocument();
});

test("that nobody reads it yet is said where the client has no login, with the way to invite them", async () => {
  await open(...talk());
  const screen = await show(`/messages/${dana.id}`);
  const note = page.getByText("Not in the app yet: nobody reads this there");
  await expect.element(note).toBeVisible();
  await expect.element(thread().getByText("Sent", { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Invite" })).toBeVisible();
  await screen.unmount();
  await closePhone();
  dana.client_user_id = newId();
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await expect.element(thread()).toHaveTextContent("Lovely");
  await expect.element(thread().getByText("Sent", { exact: true })).toBeVisible();
  await expect.element(note).not.toBeInTheDocument();
});

test("the list leads to where notifications are chosen", async () => {
  await open(...talk());
  await show();
  const link = page.getByRole("link", { name: "Notifications" });
  await expect.element(link).toHaveAttribute("href", "/profile#profile-notifications");
});

test("one's own message can be taken back", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await page.getByRole("button", { name: "More for the message of 10:09 AM" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("This message was deleted")).toBeVisible();
  await expect.element(page.getByText("Lovely")).not.toBeInTheDocument();
});

const refused = (content: string, refusal: Refusal = { code: "failed" }): AttentionEntry => {
  const id = newId();
  const args = { id: newId(), conversation_id: dana.id, content, photo: null };
  const made = { id, seq: 1, v: 1, made_at: minuteOf(FRIDAY, 5), base_rev: 1, name: "send_message", args };
  return {
    entry: { mutation: made, sentence: "Message to Dana Reyes", photos: [] },
    outcome: { id, outcome: "rejected", rev: 2, refusal, adjustments: [] },
  };
};

test("in a household of two only what one wrote oneself can be deleted", async () => {
  const place = { sitter_id: newId(), client_id: dana.id };
  await openPhone(rowsOf(dana, rex), [], place);
  const [own, other] = [business().store.userId, newId()];
  const parents = [
    { user_id: other, name: "Alex Reyes", email: "", linked_at: null },
    { user_id: own, name: "Dana Reyes", email: "", linked_at: null },
  ];
  dana = { ...dana, client_user_id: other, parents };
  const said = aConversation(dana, [
    { by: "client", content: "From Alex", at: minuteOf(FRIDAY, 0) },
    { by: "client", content: "From Dana", at: minuteOf(FRIDAY, 1) },
  ]);
  const signed = said.map((it) =>
    "content" in it.d && it.d.content === "From Dana" ? { ...it, d: { ...it.d, client_user_id: own } } : it,
  );
  await pullRows(...rowsOf(dana), ...signed);
  await render(
    <At path={`/client/messages/${dana.id}`}>
      <main className="flex h-dvh flex-col overflow-y-auto">
        <MessagesScreen userType="client" />
      </main>
    </At>,
  );
  const log = page.getByRole("log");
  const messageOf = (content: string) => log.getByRole("listitem").filter({ hasText: content });
  await expect
    .element(messageOf("From Dana").getByRole("button", { name: /^More for the message/ }))
    .toBeInTheDocument();
  await expect.element(messageOf("From Alex")).toBeVisible();
  expect(messageOf("From Alex").getByRole("button").elements()).toHaveLength(0);
  // Nobody has signed yet what still waits here.
  await composer().fill("And more");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect
    .element(messageOf("And more").getByRole("button", { name: /^More for the message/ }))
    .toBeInTheDocument();
});

test("a message that was turned down stands in its place and can be sent again, or discarded", async () => {
  await openPhone([...rowsOf(dana, rex), ...talk()], [refused("First words"), refused("Second words")]);
  await show(`/messages/${dana.id}`);
  const failed = page.getByRole("list", { name: "Not sent" }).getByRole("listitem");
  await expect.element(failed.filter({ hasText: "First words" })).toHaveTextContent("Not sent");
  await failed.filter({ hasText: "First words" }).getByRole("button", { name: "Send again" }).click();
  await expect.element(failed.filter({ hasText: "First words" })).not.toBeInTheDocument();
  await expect.element(thread()).toHaveTextContent("First words");
  await failed.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect.element(page.getByText("Second words")).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "send_message", args: { content: "First words" } }]);
});

test("a message to a client who was gone can be sent again once they are back", async () => {
  await openPhone([...rowsOf(dana, rex), ...talk()], [refused("Are you there?", { code: "gone" })]);
  await show(`/messages/${dana.id}`);
  const failed = page.getByRole("list", { name: "Not sent" }).getByRole("listitem");
  await expect.element(failed).toHaveTextContent("It is here now.");
  await failed.getByRole("button", { name: "Send again" }).click();
  await expect.element(failed).not.toBeInTheDocument();
  await expect.element(thread()).toHaveTextContent("Are you there?");
});

test("whether it is live is said above the list, and beside nobody's name", async () => {
  await open(...talk());
  await show("/messages");
  const live = page.getByText(/^Live/);
  await expect.element(live).not.toBeInTheDocument();
  setConnection({ readyState: WebSocket.OPEN } as WebSocket);
  await expect.element(live).toBeVisible();
  await row("Dana Reyes").click();
  await expect.element(thread()).toBeVisible();
  expect(live.elements()).toHaveLength(0);
});

test("who is typing is shown until they stop, and for three seconds at most", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const typing = { event: "typing", conversation_id: dana.id };
  const sign = page.getByText("Dana Reyes is typing…");
  heard(typing);
  await expect.element(sign).toBeVisible();
  heard({ ...typing, stopped: true });
  await expect.element(sign).not.toBeInTheDocument();
  heard(typing);
  vi.advanceTimersByTime(2_999);
  await expect.element(sign).toBeVisible();
  vi.advanceTimersByTime(1);
  await expect.element(sign).not.toBeInTheDocument();
});

test("that one types is said, not with each letter, and that one has stopped a second after the last", async () => {
  await open(...talk());
  const sent: string[] = [];
  setConnection({ readyState: WebSocket.OPEN, send: (it: string) => sent.push(it) } as unknown as WebSocket);
  await show(`/messages/${dana.id}`);
  await expect.element(composer()).toBeEnabled();
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  for (const letters of ["O", "On", "On ", "On m"]) {
    await composer().fill(letters);
    vi.advanceTimersByTime(900);
  }
  const typing = { event: "typing", conversation_id: dana.id };
  const said = () => sent.map((it) => JSON.parse(it) as object);
  expect(said()).toEqual([typing, typing]);
  vi.advanceTimersByTime(99);
  expect(said()).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(said()).toEqual([typing, typing, { ...typing, stopped: true }]);
});
test("on a desktop the conversation stands beside the list", async () => {
  await page.viewport(1280, 800);
  await open(...talk());
  await show();
  await expect.element(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Browse Contacts" })).toBeVisible();
  await row("Dana Reyes").click();
  await expect.element(row("Dana Reyes")).toHaveAttribute("aria-current", "true");
  await expect.element(thread()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Back to conversations" })).not.toBeInTheDocument();
  await expect.element(composer()).toHaveFocus();
});

test("what fails on the disk says what it was, and words stay", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  fillThisDisk();
  await composer().fill("On my way");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(/^Failed to send message\. Please try again\. This .* is full/)).toBeVisible();
  await expect.element(composer()).toHaveValue("On my way");
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect.element(page.getByText(/^Failed to archive conversation\. Please try again\. /)).toBeVisible();
});

test("where messages cannot be shown that stands in their place, with another try", async () => {
  await open(...talk());
  // React and the browser both report what is caught here on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(window, "reportError").mockImplementation(() => undefined);
  const phone = business().phone as Phone;
  const thread = phone.thread.bind(phone);
  const broken = vi.spyOn(phone, "thread").mockImplementation((...asked) => {
    const found = thread(...asked);
    return found && { ...found, days: [{ messages: [undefined] }] as never };
  });
  await show(`/messages/${dana.id}`);
  await expect.element(page.getByText("Failed to load messages. Please try again.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "More for Dana Reyes" })).toBeVisible();
  broken.mockRestore();
  // With the next change it is read anew.
  await save({ name: "mark_conversation_read", args: { id: dana.id } }, "Read what Dana wrote");
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect.element(page.getByText("Is Rex well?")).toBeVisible();
});

test("what is archived and fails to come back says so", async () => {
  await open(...talk());
  await show(`/messages/${dana.id}`);
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect.element(page.getByText("Conversation archived")).toBeVisible();
  fillThisDisk();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText(/^Failed to unarchive conversation\. Please try again\. /)).toBeVisible();
});

test("a conversation that fails to begin says so", async () => {
  await openPhone([...rowsOf(dana, rex)]);
  await show("/messages?new=browse");
  fillThisDisk();
  await page.getByRole("button", { name: /Dana Reyes/ }).click();
  await expect.element(page.getByText(/^Failed to start conversation\. Please try again\. /)).toBeVisible();
});

test("an image that the server did not take says so", async () => {
  const refusal = { code: "photo_refused", photo: newId(), text: "Upload failed: 413" } as const;
  await openPhone([...rowsOf(dana, rex), ...talk()], [refused("Look at him", refusal)]);
  await show(`/messages/${dana.id}`);
  const failed = page.getByRole("list", { name: "Not sent" }).getByRole("listitem");
  await expect.element(failed).toHaveTextContent("Failed to upload image. Please try again.");
  await expect.element(failed).toHaveTextContent("Upload failed: 413");
});

test("before anything was pulled an empty list is not called one", async () => {
  await openPhone("nothing pulled");
  await show();
  await expect.element(page.getByRole("status", { name: "Loading conversations" })).toBeVisible();
});
