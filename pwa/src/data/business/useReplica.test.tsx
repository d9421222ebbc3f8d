/** Shows that what a change did not touch stays the same object, and that who reads nothing of it is not drawn again. */
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { StandInServer, saveOffering } from "../../../test/support/testing";
import { deleteUserDb } from "../store/db";
import { OpenBusiness, setOpenBusiness } from "./openBusiness";
import { shareStructure, useRead, useReplica } from "./useReplica";

interface ReaderProps {
  drawn: () => void;
  search?: string;
}

function Offerings({ drawn }: ReaderProps) {
  const names = useReplica((phone) => phone.offerings().map((it) => it.name));
  drawn();
  return <p>Offered: {names.join(", ")}</p>;
}

function Clients({ drawn, search = "" }: ReaderProps) {
  const clients = useRead((phone) => phone.clients(search), search);
  drawn();
  return (
    <p>
      Clients with “{search}”: {clients.length}
    </p>
  );
}

test("a reader is drawn again when what it reads has changed, or what it reads by", async () => {
  const server = await StandInServer.start();
  const me = server.addSitter("mara");
  const tab = await OpenBusiness.open(me.id);
  setOpenBusiness(tab);
  const [offerings, clients] = [vi.fn(), vi.fn()];
  const screen = (search: string) => (
    <>
      <Offerings drawn={offerings} />
      <Clients drawn={clients} search={search} />
    </>
  );
  const { rerender, unmount } = await render(screen(""));
  await saveOffering(tab, "Walk");
  await expect.element(page.getByText("Offered: Walk")).toBeVisible();
  expect(offerings).toHaveBeenCalledTimes(2);
  expect(clients).toHaveBeenCalledTimes(1);
  await rerender(screen("Dana"));
  await expect.element(page.getByText("Clients with “Dana”: 0")).toBeVisible();
  // Signing out closes the business before the screens are gone.
  setOpenBusiness(undefined);
  await rerender(screen("Dana B"));
  await expect.element(page.getByText("Offered: Walk")).toBeVisible();
  await unmount();
  await tab.close();
  await deleteUserDb(me.id);
});

test("one person's rows are never shown to the next, however many changes either had", async () => {
  const server = await StandInServer.start();
  const [mara, sam] = [server.addSitter("mara"), server.addSitter("sam")];
  const [hers, his] = [await OpenBusiness.open(mara.id), await OpenBusiness.open(sam.id)];
  await saveOffering(hers, "Walk");
  await saveOffering(his, "Visit");
  expect(hers.version).toBe(his.version);
  setOpenBusiness(hers);
  const { unmount } = await render(<Offerings drawn={() => undefined} />);
  await expect.element(page.getByText("Offered: Walk")).toBeVisible();
  setOpenBusiness(his);
  await expect.element(page.getByText("Offered: Visit")).toBeVisible();
  await saveOffering(his, "Boarding");
  await expect.element(page.getByText("Offered: Visit, Boarding")).toBeVisible();
  await unmount();
  setOpenBusiness(undefined);
  await Promise.all([hers.close(), his.close()]);
  await Promise.all([deleteUserDb(mara.id), deleteUserDb(sam.id)]);
});

test("what equals stays the same object, what differs is the new one", () => {
  const last = {
    title: "7 visits",
    visits: [
      { id: 1, dogs: ["Rex"] },
      { id: 2, dogs: [] },
    ],
    next: null,
  };
  const next = {
    title: "8 visits",
    visits: [
      { id: 1, dogs: ["Rex"] },
      { id: 2, dogs: ["Mia"] },
      { id: 3, dogs: [] },
    ],
    next: null,
  };
  const made = shareStructure<typeof next>(last, structuredClone(next));
  expect(made).toEqual(next);
  expect(made).not.toBe(last);
  expect(made.visits[0]).toBe(last.visits[0]);
  expect(made.visits[1]).not.toBe(last.visits[1]);
  expect(shareStructure(made, structuredClone(made))).toBe(made);
});

test("a list that became shorter, a field that went and a value of another kind are news", () => {
  expect(shareStructure([1, 2, 3], [1, 2])).toEqual([1, 2]);
  expect(shareStructure<object>({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(shareStructure<unknown>({ 0: "a" }, ["a"])).toEqual(["a"]);
  expect(shareStructure<unknown>([], {})).toEqual({});
  expect(shareStructure<unknown>({ a: 1 }, null)).toBeNull();
  expect(shareStructure<unknown>(undefined, { a: 1 })).toEqual({ a: 1 });
});

test("what comes into a list or goes from it leaves the others the same objects", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => ({ view: { id }, dogs: [id] }));

  for (const [last, next] of [
    [
      [a, b, c],
      [a, d, b, c],
    ],
    [
      [a, b, c],
      [a, c],
    ],
    [
      [a, b, c],
      [d, a, b, c],
    ],
    [
      [a, b, c],
      [a, b, c, d],
    ],
    [
      [a, b, c],
      [a, d, c],
    ],
    [[a, a], [a]],
    [[], [a]],
    [[a], []],
  ]) {
    const made = shareStructure(last, structuredClone(next)) ?? [];
    expect(made).toEqual(next);
    expect(made.filter((it) => it !== d && last?.includes(it))).toHaveLength(
      next?.filter((it) => it !== d && last?.includes(it)).length ?? 0,
    );
  }
});
