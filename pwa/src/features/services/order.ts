/**
 * Owns moving offerings about: the order as categories with ids, and what of it is saved. Pure, so that mouse, touch,
 * keyboard and menu all do the same.
 */
import type { Command, OfferingGroup } from "../../core";

/** Ids by category, both in the order of the screen. */
export type Order = Record<string, string[]>;

export const orderOf = (groups: readonly OfferingGroup[]): Order =>
  Object.fromEntries(groups.map((it) => [it.category, it.offerings.map(({ id }) => id)]));

/** The groups with their offerings where `order` has them. */
export function inOrder(groups: readonly OfferingGroup[], order: Order): OfferingGroup[] {
  const known = new Map(groups.flatMap((it) => it.offerings).map((it) => [it.id, it]));
  return Object.entries(order).map(([category, ids]) => ({
    category,
    offerings: ids.map((id) => known.get(id)).filter((it) => it !== undefined),
  }));
}

/** One place up or down within its category; the same order where there is no such place. */
export function moveBy(order: Order, id: string, steps: 1 | -1): Order {
  const [category, ids] = Object.entries(order).find(([, ids]) => ids.includes(id)) ?? [];
  if (category === undefined || !ids) return order;
  const from = ids.indexOf(id);
  const to = from + steps;
  if (to < 0 || to >= ids.length) return order;
  return { ...order, [category]: ids.with(from, ids[to] ?? id).with(to, id) };
}

/** The order with the offering at the end of another category. */
export function moveTo(order: Order, id: string, category: string): Order {
  const without = Object.entries(order).map(([name, ids]) => [name, ids.filter((it) => it !== id)]);
  const next: Order = Object.fromEntries(without);
  return { ...next, [category]: [...(next[category] ?? []), id] };
}

export const isSameOrder = (a: Order, b: Order): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Every place, counted through all categories in the order of `categories`; a category is named where it is new. */
export function reorderCommand(order: Order, before: Order, categories: readonly string[]): Command {
  const places = categories.flatMap((category) => (order[category] ?? []).map((id) => ({ id, category })));
  return {
    name: "reorder_offerings",
    args: {
      orders: places.map(({ id, category }, display_order) => ({
        id,
        display_order,
        category: before[category]?.includes(id) ? null : category,
      })),
    },
  };
}
