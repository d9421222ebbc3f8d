/** Owns writing entries down and taking them away, each with its way back. */
import { type Expense, type ExpenseEntry, formatDate, newId } from "../../core";
import { save } from "../../data";
import { toast } from "../../ui";
import { milesText } from "./words";

const FAILED = "Failed to save the expense";

/** An entry within a sentence: `Mileage, Nov 20, 2026`. */
export const named = ({ name, expense }: ExpenseEntry): string => `${name}, ${formatDate(expense.date)}`;

/** Returns the fields of an entry that a person sets. */
const fieldsOf = ({ date, category, miles, amount, note }: Expense): Partial<Expense> => ({
  date,
  category,
  miles,
  amount,
  note,
});

/** Takes miles as they were proposed for a day. */
export async function takeMiles(date: string, miles: number, visits: string): Promise<void> {
  const id = newId();
  const expense: Partial<Expense> = { date, category: "mileage", miles, note: visits };
  const undo = () => void takeBack(id, `Miles of ${formatDate(date)}`);
  try {
    const result = await save({ name: "create_expense", args: { id, expense } }, `Miles of ${formatDate(date)}`);
    if (result.ok) toast.success(`${milesText(miles)} added`, { label: "Undo", onAction: undo });
    else toast.error(result.text);
  } catch {
    toast.error(FAILED);
  }
}

/** Undoes what was just written down. */
export async function takeBack(id: string, sentence: string): Promise<void> {
  try {
    const result = await save({ name: "delete_expense", args: { id } }, sentence);
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error(FAILED);
  }
}

/** Deletes an entry, and offers it back. */
export async function remove(entry: ExpenseEntry): Promise<boolean> {
  const { id } = entry.expense;
  try {
    const result = await save({ name: "delete_expense", args: { id } }, `Delete ${named(entry)}`);
    if (result.ok) toast.success(`${entry.name} deleted`, { label: "Undo", onAction: () => void bringBack(entry) });
    else toast.error(result.text);
    return result.ok;
  } catch {
    toast.error("Failed to delete the expense");
    return false;
  }
}

async function bringBack(entry: ExpenseEntry): Promise<void> {
  const args = { id: entry.expense.id, expense: fieldsOf(entry.expense) };
  try {
    const result = await save({ name: "create_expense", args }, named(entry));
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error(FAILED);
  }
}
