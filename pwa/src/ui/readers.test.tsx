/** Owns that each form says who reads a field, by the list of core. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { fieldReaders, loadCore } from "../core";
import { TextField } from ".";
import { Readers, ReadersKey, ReaderWordsProvider } from "./Readers";

const sources = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });
const files = Object.entries(sources).filter(([path]) => !path.endsWith(".test.tsx"));

/** Screens where nothing that is typed is kept for anybody to read: passwords, codes, words that confirm, a link to copy. */
const WITHOUT_READERS = [
  "../app/LockedWork.tsx",
  "../features/auth/SignInScreen.tsx",
  "../features/auth/SignUp.tsx",
  "../features/invoices/SharedInvoice.tsx",
  "../features/profile/AccountSection.tsx",
  "../features/profile/CardsSection.tsx",
  "../features/profile/ChangeEmail.tsx",
  "../features/profile/FactorsSection.tsx",
  "../features/profile/OwnPasswordField.tsx",
  "../features/profile/ProveForm.tsx",
  "../features/scheduling/import/ScheduleRows.tsx",
  "../parts/account/AuthFrame.tsx",
  "../parts/account/CodeForm.tsx",
  "../parts/account/NewPasswordField.tsx",
  "../parts/account/WaysOut.tsx",
];

/** Fields that forms name otherwise: a series has the form of a service, and pet parents have one for all of their home. */
const NAMED_OTHERWISE = ["client.how_to_get_in", "series.internal_notes", "series.notes"];

/** Texts in inputs of their own: searches and commands, and a message, whose form names its readers. */
const OWN_INPUTS = [
  "../app/Palette.tsx",
  "../features/messages/Composer.tsx",
  "../parts/address/AddressField.tsx",
  "./NumberField.tsx",
  "./SearchField.tsx",
  "./TextArea.tsx",
  "./TextField.tsx",
];

test("only fields whose text is kept for nobody say nothing of who reads it", () => {
  const without = files.filter(([, source]) => source.includes('reader="none"'));
  expect(without.map(([path]) => path)).toEqual(WITHOUT_READERS);
});

test("texts are typed into the fields that say who reads them", () => {
  const types = /type="(checkbox|radio|file|range|date|time)"/;
  const isText = (input: string) => !types.test(input);
  const own = files.filter(([, source]) => (source.match(/<(?:input|textarea)\b[^]*?\/>/g) ?? []).some(isText));
  expect(own.map(([path]) => path)).toEqual(OWN_INPUTS);
});

test("each field of the core's list stands in a form", async () => {
  await loadCore();
  const all = files.map(([, source]) => source).join("");
  const missing = fieldReaders()
    .map((it) => it.field)
    .filter((it) => !all.includes(`"${it}"`));
  expect(missing).toEqual(NAMED_OTHERWISE);
});

test("a field says who reads it in a line, in a form with marks by its mark, and to pet parents in their words", async () => {
  await loadCore();
  const vet = <TextField name="vet" label="Vet" reader="client.vet" value="" onChange={() => undefined} />;
  const screen = await render(vet);
  const field = page.getByRole("textbox", { name: "Vet" });
  await expect.element(field).toHaveAccessibleDescription("Your client sees this in the portal");
  await screen.rerender(
    <ReaderWordsProvider words={{ client: "Only Mara reads this." }}>
      <ReadersKey marks={["client", "links"]} />
      <Readers>{vet}</Readers>
    </ReaderWordsProvider>,
  );
  await expect.element(field).toHaveAccessibleDescription("Only Mara reads this.");
  await expect.element(page.getByRole("list", { name: "Who reads what" })).toHaveTextContent("Only Mara reads this.");
});
