/** Tests what the kit promises to every screen: where the focus goes, what keys do, what is read to those who do not see. */
import { useState } from "react";
import { beforeAll, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { loadCore } from "../core";
import {
  AppError,
  Badge,
  Button,
  ConfirmHost,
  confirm,
  DateField,
  Dialog,
  ErrorBoundary,
  FeatureError,
  type FieldError,
  FieldGroup,
  Form,
  type FormProblem,
  FormsContext,
  IconButton,
  leaveDialog,
  Menu,
  MoneyField,
  NumberField,
  SearchField,
  Segmented,
  Select,
  SubmitButton,
  setTextRules,
  Tabs,
  TextField,
  ToastHost,
  toast,
  useShortcut,
} from ".";
import { HoldButton } from "./HoldButton";

// It reads numbers.
beforeAll(() => loadCore());

function ClientForm({ send }: { send: () => FieldError[] | Promise<FieldError[]> }) {
  const [errors, setErrors] = useState<FieldError[]>([]);
  const [name, setName] = useState("");
  return (
    <Form errors={errors} onSubmit={async () => setErrors(await send())}>
      <TextField reader="none" name="email" label="Email" value="" onChange={() => undefined} />
      <TextField reader="none" name="name" label="Client name" hint="As on the door" value={name} onChange={setName} />
      <FieldGroup name="dogs" label="Dogs">
        none
      </FieldGroup>
      <SubmitButton>Save</SubmitButton>
    </Form>
  );
}

test("a form shows every error at its field and focuses the first wrong one", async () => {
  await render(
    <ClientForm
      send={() => [
        { field: "name", text: "Client name is required" },
        { field: "dogs", text: "At least one dog is required" },
      ]}
    />,
  );
  await page.getByRole("button", { name: "Save" }).click();
  const name = page.getByRole("textbox", { name: "Client name" });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAttribute("aria-invalid", "true");
  await expect.element(name).toHaveAccessibleDescription("As on the door Client name is required");
  await expect
    .element(page.getByRole("group", { name: "Dogs" }))
    .toHaveAccessibleDescription("At least one dog is required");
  await expect.element(page.getByRole("textbox", { name: "Email" })).not.toHaveAttribute("aria-invalid");
});

test("the error of a group that is higher than the screen is in sight", async () => {
  function PetsForm() {
    const [errors, setErrors] = useState<FieldError[]>([]);
    return (
      <div style={{ height: 400, overflowY: "auto" }}>
        <Form errors={errors} onSubmit={() => setErrors([{ field: "dogs", text: "At least one dog is required" }])}>
          <FieldGroup name="dogs" label="Dogs">
            <div style={{ height: 700 }} />
          </FieldGroup>
          <div style={{ height: 700 }} />
          <SubmitButton>Save</SubmitButton>
        </Form>
      </div>
    );
  }
  await render(<PetsForm />);
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText("At least one dog is required")).toBeInViewport();
});

test("an error goes when its field is changed, alone, and comes back where sending finds it again", async () => {
  await render(
    <ClientForm
      send={() => [
        { field: "name", text: "Client name is taken" },
        { field: "dogs", text: "At least one dog is required" },
      ]}
    />,
  );
  const save = page.getByRole("button", { name: "Save" });
  const name = page.getByRole("textbox", { name: "Client name" });
  await save.click();
  await name.fill("Dana");
  await expect.element(name).not.toHaveAttribute("aria-invalid");
  await expect.element(name).toHaveAccessibleDescription("As on the door");
  await expect.element(page.getByText("At least one dog is required")).toBeVisible();
  await expect.element(name).toHaveFocus();
  await save.click();
  await expect.element(name).toHaveAccessibleDescription("As on the door Client name is taken");
});

test("a text that is nearly too long is counted, and what is too much of it stays and says so", async () => {
  setTextRules({
    bound: (field) => (field === "name" ? 20 : 1000),
    error: (field, text) => (field === "name" && 20 < text.length ? "Name cannot exceed 20 characters" : undefined),
  });
  await render(<ClientForm send={() => []} />);
  const name = page.getByRole("textbox", { name: "Client name" });
  await name.fill("n".repeat(18));
  await expect.element(name).toHaveAccessibleDescription("As on the door");
  await name.fill("n".repeat(19));
  await expect.element(name).toHaveAccessibleDescription("As on the door 19 of 20 characters");
  await name.fill("n".repeat(25));
  await expect.element(name).toHaveValue("n".repeat(25));
  await expect
    .element(name)
    .toHaveAccessibleDescription("As on the door 25 of 20 characters Name cannot exceed 20 characters");
  await expect.element(name).toHaveAttribute("aria-invalid", "true");
});

test("an error of a field that is not on the form is listed at its top", async () => {
  await render(<ClientForm send={() => [{ field: "sitter_id", text: "Your session has another business" }]} />);
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Your session has another business");
});

/** A form with a foot far below its head. */
const LongForm = ({ send }: { send: () => FormProblem | undefined }) => (
  <Form onSubmit={send} failed="Failed to save client" errors={KNOWN}>
    <button type="reset">Start over</button>
    <TextField reader="none" name="name" label="Client name" value="" onChange={() => undefined} />
    <div style={{ height: 3_000 }} />
    <SubmitButton>Save</SubmitButton>
  </Form>
);
const KNOWN: FieldError[] = [{ field: "name", text: "Taken by another client" }];

test("what sending comes to takes the place of what was wrong before, and starting over leaves nothing", async () => {
  const send = vi.fn<() => FormProblem | undefined>();
  await render(<LongForm send={send} />);
  const save = page.getByRole("button", { name: "Save" });
  const name = page.getByRole("textbox", { name: "Client name" });
  await expect.element(name).toHaveAccessibleDescription("Taken by another client");
  send.mockReturnValueOnce({ text: "Not so", fields: [{ field: "name", text: "Client name is required" }] });
  await save.click();
  await expect.element(name).toHaveAccessibleDescription("Client name is required");
  await expect.element(name).toHaveFocus();
  await expect.element(page.getByText("Not so")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect.element(name).not.toHaveAttribute("aria-invalid");
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("what is wrong with the whole comes into sight and is said again when it is so again", async () => {
  const send = vi.fn<() => FormProblem | undefined>(() => ({ text: "The client is gone" }));
  await render(<LongForm send={send} />);
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The client is gone");
  await expect.element(page.getByRole("alert")).toBeInViewport();
  await expect.element(page.getByRole("textbox", { name: "Client name" })).not.toHaveAttribute("aria-invalid");
  // A screen reader reads an alert when it comes, so the same words come anew.
  const first = page.getByRole("alert").element();
  await save.click();
  await vi.waitFor(() => expect(first.isConnected).toBe(false));
  await expect.element(page.getByRole("alert")).toBeInViewport();
  send.mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to save client");
});

test("what nobody has thought of is said as that", async () => {
  const thrown = new Error("a defect");
  const unexpected = vi.fn(() => "An unexpected error occurred. Please try again.");
  await render(
    <FormsContext value={{ explain: () => undefined, unexpected }}>
      <Form onSubmit={() => Promise.reject(thrown)}>
        <SubmitButton>Save</SubmitButton>
      </Form>
    </FormsContext>,
  );
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again.");
  expect(unexpected).toHaveBeenCalledWith(thrown);
});

test("a form that is being sent is not sent twice", async () => {
  let finish: (errors: FieldError[]) => void = () => undefined;
  const send = vi.fn(() => new Promise<FieldError[]>((resolve) => (finish = resolve)));
  await render(<ClientForm send={send} />);
  const name = page.getByRole("textbox", { name: "Client name" });
  await name.fill("Dana");
  await userEvent.keyboard("{Enter}{Enter}");
  await expect.element(page.getByRole("button", { name: "Save" })).toHaveAttribute("aria-busy", "true");
  expect(send).toHaveBeenCalledTimes(1);
  finish([]);
  await expect.element(page.getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-busy");
});

test("what is done at once does not flash a sign of work", async () => {
  const send = vi.fn(() => Promise.resolve([]));
  await render(<ClientForm send={send} />);
  const save = page.getByRole("button", { name: "Save" });
  const seen: string[] = [];
  const watch = new MutationObserver((changes) => {
    seen.push(...changes.flatMap((it) => it.attributeName ?? []));
  });
  watch.observe(save.element(), { attributeFilter: ["aria-busy"] });
  await save.click();
  await save.click();
  expect(send).toHaveBeenCalledTimes(2);
  watch.disconnect();
  expect(seen).toEqual([]);
});

interface NumbersProps {
  onMoney?: (it: number | null) => void;
  onCount?: (it: number | null) => void;
  onSend?: () => void;
}

const ignore = () => undefined;

function Numbers({ onMoney = ignore, onCount = ignore, onSend = ignore }: NumbersProps) {
  const [money, setMoney] = useState<number | null>(25);
  const [count, setCount] = useState<number | null>(null);
  return (
    <Form onSubmit={onSend}>
      <button type="reset">Start over</button>
      <MoneyField
        name="rate"
        label="Rate"
        value={money}
        onChange={(it) => {
          setMoney(it);
          onMoney(it);
        }}
      />
      <NumberField
        name="buffer"
        label="Buffer"
        integer
        value={count}
        onChange={(it) => {
          setCount(it);
          onCount(it);
        }}
      />
      <SubmitButton>Save</SubmitButton>
    </Form>
  );
}

test("money keeps what is typed until the field is left and gives a number or nothing", async () => {
  const onMoney = vi.fn();
  const onCount = vi.fn();
  await render(<Numbers onMoney={onMoney} onCount={onCount} />);
  const rate = page.getByRole("textbox", { name: "Rate" });
  const buffer = page.getByRole("textbox", { name: "Buffer" });
  await expect.element(rate).toHaveValue("25.00");
  await rate.fill("1,037.5");
  expect(onMoney).toHaveBeenLastCalledWith(1037.5);
  await expect.element(rate).toHaveValue("1,037.5");
  await buffer.fill("15");
  expect(onCount).toHaveBeenLastCalledWith(15);
  await expect.element(rate).toHaveValue("1037.50");
  await rate.fill("");
  expect(onMoney).toHaveBeenLastCalledWith(null);
});

test.each(["12.345", "37,5", "abc", "1e3"])(
  "an amount of %s stays as it is typed, says so and is not sent",
  async (text) => {
    const onMoney = vi.fn();
    const onSend = vi.fn();
    await render(<Numbers onMoney={onMoney} onSend={onSend} />);
    const rate = page.getByRole("textbox", { name: "Rate" });
    await rate.fill(text);
    expect(onMoney).toHaveBeenLastCalledWith(null);
    // Nobody is told of half a number while it is typed.
    await expect.element(rate).not.toHaveAttribute("aria-invalid");
    await page.getByRole("textbox", { name: "Buffer" }).click();
    await expect.element(rate).toHaveAccessibleDescription("Enter dollars and cents, such as 12.50");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.element(rate).toHaveFocus();
    await expect.element(rate).toHaveValue(text);
    expect(onSend).not.toHaveBeenCalled();
    await rate.fill("12.34");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.element(rate).toHaveValue("12.34");
    expect(onSend).toHaveBeenCalledOnce();
  },
);

test("a date has a year of four digits", async () => {
  await render(<DateField name="date" label="Date" value="2026-11-20" onChange={() => undefined} />);
  await expect.element(page.getByLabelText("Date")).toHaveAttribute("max", "9999-12-31");
});

test("a form that is sent from within a field says that the number there is none; starting over takes it away", async () => {
  const onSend = vi.fn();
  await render(<Numbers onSend={onSend} />);
  const buffer = page.getByRole("textbox", { name: "Buffer" });
  await buffer.fill("1.5");
  await userEvent.keyboard("{Enter}");
  await expect.element(buffer).toHaveAccessibleDescription("Enter a whole number, such as 12");
  expect(onSend).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect.element(buffer).toHaveValue("");
  await expect.element(buffer).not.toHaveAttribute("aria-invalid");
});

test("a select gives the value of its option, numbers as numbers", async () => {
  const onChange = vi.fn();
  const options = [15, 30].map((value) => ({ value, label: `${value} min` }));
  await render(<Select name="duration" label="Duration" value={15} onChange={onChange} options={options} />);
  await page.getByRole("combobox", { name: "Duration" }).selectOptions("30 min");
  expect(onChange).toHaveBeenCalledWith(30);
});

function WithDialog() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Edit client">
        <Button>Inside</Button>
      </Dialog>
    </>
  );
}

test("a dialog takes the focus, closes on Esc and gives the focus back", async () => {
  await render(<WithDialog />);
  const edit = page.getByRole("button", { name: "Edit" });
  await edit.click();
  await expect.element(page.getByRole("dialog", { name: "Edit client" })).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Edit client" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(edit).toHaveFocus();
});

test("a press beside a dialog closes it, presses nothing under it and gives the focus back", async () => {
  await render(<WithDialog />);
  const edit = page.getByRole("button", { name: "Edit" });
  await edit.click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  // The button lies under the backdrop: were it pressed, the dialog would be open again.
  await edit.click({ force: true });
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(edit).toHaveFocus();
});

function DialogAfterDialog() {
  const [step, setStep] = useState<"none" | "details" | "edit">("none");
  const close = () => setStep("none");
  return (
    <>
      <Button onClick={() => setStep("details")}>Show</Button>
      <Dialog open={step === "details"} onClose={close} title="Details">
        <Button onClick={() => setStep("edit")}>Edit</Button>
      </Dialog>
      <Dialog open={step === "edit"} onClose={close} title="Edit service">
        <Button onClick={(event) => leaveDialog(event.currentTarget, close)}>Save</Button>
      </Dialog>
    </>
  );
}

test("a dialog in the place of another gives the focus back to what had it before both", async () => {
  await render(<DialogAfterDialog />);
  const show = page.getByRole("button", { name: "Show" });
  await show.click();
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.element(page.getByRole("heading", { name: "Edit service" })).toHaveFocus();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(show).toHaveFocus();
});

test("a dialog on its way out is out of sight, is not closed a second time, and sends nothing twice", async () => {
  const [close, left, send] = [vi.fn(), vi.fn(), vi.fn()];
  await render(
    <Dialog open onClose={close} title="Edit service">
      <Form
        onSubmit={() => {
          send();
          leaveDialog(document.activeElement, left);
        }}
      >
        <SubmitButton>Save</SubmitButton>
      </Form>
    </Dialog>,
  );
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  expect(getComputedStyle(page.getByRole("dialog").element()).opacity).toBe("0");
  await expect.poll(() => left.mock.calls.length).toBe(1);
  await save.click();
  await userEvent.keyboard("{Escape}");
  expect(send).toHaveBeenCalledOnce();
  expect(close).not.toHaveBeenCalled();
});

function GoneOpener() {
  const [state, setState] = useState<"before" | "open" | "after">("before");
  return (
    <main id="content" tabIndex={-1}>
      {state === "before" && <Button onClick={() => setState("open")}>Add the first</Button>}
      <Dialog open={state === "open"} onClose={() => setState("after")} title="Add">
        <Button onClick={() => setState("after")}>Save</Button>
      </Dialog>
    </main>
  );
}

test("where what opened a dialog is gone the focus goes to the top of the screen", async () => {
  await render(<GoneOpener />);
  await page.getByRole("button", { name: "Add the first" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("main")).toHaveFocus();
});

test("a question is answered by its buttons, and by Esc with no", async () => {
  await render(<ConfirmHost />);
  const question = { title: "Delete this walk?", action: "Delete", danger: true };
  const yes = confirm(question);
  await page.getByRole("button", { name: "Delete" }).click();
  expect(await yes).toBe(true);
  const no = confirm(question);
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(await no).toBe(false);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("a menu opens on its first item, moves by arrows and gives the focus back", async () => {
  const remove = vi.fn();
  await render(
    <Menu
      label="Client"
      trigger={(props) => (
        <IconButton label="More" {...props}>
          …
        </IconButton>
      )}
      items={[{ label: "Edit", onSelect: vi.fn() }, false, { label: "Delete", onSelect: remove, danger: true }]}
    />,
  );
  const more = page.getByRole("button", { name: "More" });
  await more.click();
  await expect.element(page.getByRole("menuitem", { name: "Edit" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(page.getByRole("menuitem", { name: "Delete" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(remove).toHaveBeenCalledOnce();
  await expect.element(more).toHaveFocus();
  await expect.element(more).toHaveAttribute("aria-expanded", "false");
});

function ThreeTabs() {
  const [tab, setTab] = useState("patterns");
  const items = ["patterns", "blocked", "settings"].map((id) => ({ id, label: id }));
  return (
    <Tabs label="Availability" items={items} value={tab} onChange={setTab}>
      this is {tab}
    </Tabs>
  );
}

test("tabs move by arrows and show the panel of the chosen one", async () => {
  await render(<ThreeTabs />);
  await page.getByRole("tab", { name: "patterns" }).click();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(page.getByRole("tab", { name: "settings" })).toHaveFocus();
  await expect.element(page.getByRole("tabpanel", { name: "settings" })).toHaveTextContent("this is settings");
});

test("a segmented control moves by arrows", async () => {
  const onChange = vi.fn();
  const options = [
    { value: "day", label: "Day" },
    { value: "week", label: "Week" },
  ];
  await render(<Segmented label="View" value="day" onChange={onChange} options={options} />);
  page.getByRole("radio", { name: "Day" }).element().focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(onChange).toHaveBeenCalledWith("week");
});

test("a hold button acts after the hold, and on a tap says what it wants", async () => {
  const onHold = vi.fn();
  const holdFor = (holdMs: number) => (
    <HoldButton onHold={onHold} question="End the walk?" holdMs={holdMs}>
      Hold to end
    </HoldButton>
  );
  // Longer than any machine takes for a tap.
  const { rerender } = await render(holdFor(600_000));
  const button = page.getByRole("button", { name: "Hold to end" });
  button.element().focus();
  const said = vi.fn();
  const live = button.element().nextElementSibling;
  new MutationObserver(() => live?.textContent && said(live.textContent)).observe(live as Node, { childList: true });
  await userEvent.keyboard("{Enter}");
  expect(onHold).not.toHaveBeenCalled();
  await expect.poll(() => said.mock.calls).toEqual([["Hold"]]);
  await rerender(holdFor(1));
  await userEvent.keyboard("{Enter>}");
  await expect.poll(() => onHold.mock.calls.length).toBe(1);
  await userEvent.keyboard("{/Enter}");
  expect(onHold).toHaveBeenCalledOnce();
});

test("a key that is held presses once, and goes on writing where it writes", async () => {
  const onPress = vi.fn();
  await render(
    <>
      <Button onClick={onPress}>Potty</Button>
      <textarea aria-label="Note" />
    </>,
  );
  page.getByRole("button", { name: "Potty" }).element().focus();
  await userEvent.keyboard("{Enter>5/}");
  expect(onPress).toHaveBeenCalledOnce();
  const note = page.getByRole("textbox", { name: "Note" });
  note.element().focus();
  await userEvent.keyboard("{Enter>3/}");
  await expect.element(note).toHaveValue("\n\n\n");
});

test("who cannot hold a hold button is asked instead", async () => {
  const onHold = vi.fn();
  await render(
    <>
      <HoldButton onHold={onHold} question="End the walk?">
        Hold to end
      </HoldButton>
      <ConfirmHost />
    </>,
  );
  page
    .getByRole("button", { name: "Hold to end" })
    .element()
    .dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expect.element(page.getByRole("dialog", { name: "End the walk?" })).toBeVisible();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => onHold.mock.calls.length).toBe(1);
});

function Keys({ onNew }: { onNew: () => void }) {
  const [search, setSearch] = useState("");
  useShortcut("n", "Add a client", onNew);
  return <SearchField label="Search clients" value={search} onChange={setSearch} />;
}

test("n is for new and / for search, and neither while one types", async () => {
  const onNew = vi.fn();
  await render(<Keys onNew={onNew} />);
  await userEvent.keyboard("n");
  expect(onNew).toHaveBeenCalledOnce();
  await userEvent.keyboard("/");
  const search = page.getByRole("searchbox", { name: "Search clients" });
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard("nn/");
  await expect.element(search).toHaveValue("nn/");
  expect(onNew).toHaveBeenCalledOnce();
  await userEvent.keyboard("{Escape}");
  await expect.element(search).toHaveValue("");
});

test("a badge shows nothing at none and 9+ above nine", async () => {
  await render(
    <>
      <Badge count={0} label="clients" />
      <Badge count={9} label="requests" />
      <Badge count={10} label="messages" />
    </>,
  );
  await expect.element(page.getByText("9", { exact: true })).toBeVisible();
  await expect.element(page.getByText("9+")).toBeVisible();
  await expect.element(page.getByText("10 messages")).toBeInTheDocument();
  await expect.element(page.getByText("0 clients")).not.toBeInTheDocument();
});

test("a toast is read out and its action can be taken back once", async () => {
  const undo = vi.fn();
  await render(<ToastHost />);
  toast.success("Client deleted", { label: "Undo", onAction: undo });
  await expect.element(page.getByRole("log")).toHaveTextContent("Client deleted");
  await page.getByRole("button", { name: "Undo" }).click();
  expect(undo).toHaveBeenCalledOnce();
  await expect.element(page.getByText("Client deleted")).not.toBeInTheDocument();
});

test("what stands at the foot of a page on a phone can be scrolled to above a toast", async () => {
  await page.viewport(390, 844);
  // The page of the test runner has a rule of its own, which counts for more than that of the theme.
  document.body.style.paddingBottom = "var(--toasts, 0px)";
  await render(
    <>
      <main className="grid min-h-dvh content-end pb-24">
        <Button>Delete account</Button>
      </main>
      <ToastHost />
    </>,
  );
  const foot = () => page.getByRole("button", { name: "Delete account" }).element().getBoundingClientRect();
  const hide = toast.info("1 change of your business is not sent yet. It stays on this phone until you switch back.");
  await expect
    .poll(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return foot().bottom < page.getByRole("log").element().getBoundingClientRect().top;
    })
    .toBe(true);
  const { top } = foot();
  hide();
  await expect.element(page.getByText(/until you switch back/)).not.toBeInTheDocument();
  expect(foot().top, "nothing moves under a finger").toBe(top);
  scrollTo(0, 0);
  await expect.poll(() => document.documentElement.scrollHeight).toBe(innerHeight);
  document.body.style.paddingBottom = "";
});

test("acts of toasts can be taken away, and what was said stays", async () => {
  await render(<ToastHost />);
  toast.success("Client deleted", { label: "Undo", onAction: () => undefined });
  toast.info("The map is up to date");
  await expect.element(page.getByRole("button", { name: "Undo" })).toBeVisible();
  toast.clearActions();
  await expect.element(page.getByText("Client deleted")).not.toBeInTheDocument();
  await expect.element(page.getByText("The map is up to date")).toBeVisible();
  toast.clear();
});

function Broken(): never {
  throw new Error("no such walk");
}

test("a broken feature and a broken app say so and offer ways on", async () => {
  // React and the browser both report what is caught here on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(window, "reportError").mockImplementation(() => undefined);
  await render(
    <ErrorBoundary fallback={() => <FeatureError feature="Clients" />}>
      <Broken />
    </ErrorBoundary>,
  );
  await expect.element(page.getByText("Clients Error")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Reload Page" })).toBeVisible();
  const retry = vi.fn();
  await render(<AppError retry={retry} />);
  await expect.element(page.getByText("Something went wrong")).toBeVisible();
  await page.getByRole("button", { name: "Try Again" }).click();
  expect(retry).toHaveBeenCalledOnce();
});

test("everything that can be pressed is at least 48 px high", async () => {
  await render(
    <>
      <Button>Save</Button>
      <IconButton label="More">…</IconButton>
      <TextField reader="none" name="name" label="Name" value="" onChange={() => undefined} />
    </>,
  );
  for (const element of [
    page.getByRole("button", { name: "Save" }),
    page.getByRole("button", { name: "More" }),
    page.getByRole("textbox", { name: "Name" }),
  ]) {
    expect(element.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48);
  }
});
