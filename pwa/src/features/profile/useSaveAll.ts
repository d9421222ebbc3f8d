/** Owns the saving of a step of the set-up that has several changes, of which the last one ends the draft. */
import { useState } from "react";
import type { Command } from "../../core";
import { type Draft, save } from "../../data";
import type { FieldError } from "../../ui";

/** A change to one line of the step. */
interface LineChange {
  command: Command;
  sentence: string;
  /** As its line is called: what is wrong is said of it. */
  name: string;
  /** The line; its fields are named `field.line`. */
  line: string | number;
}

/**
 * Returns the errors, the problem, and a function that saves changes one after the other: true if all of them were
 * saved.
 */
export function useSaveAll<T>(key: string, draft: Draft<T>, failed: string) {
  const [errors, setErrors] = useState<FieldError[]>();
  const [problem, setProblem] = useState<string>();
  const saveAll = async (changes: LineChange[]): Promise<boolean> => {
    setErrors(undefined);
    setProblem(undefined);
    try {
      for (const [index, { command, sentence, name, line }] of changes.entries()) {
        const result = await save(command, sentence, {
          draft: index === changes.length - 1 ? key : undefined,
          base_rev: draft.base_rev,
        });
        if (result.ok) continue;
        setErrors(result.fields.map(({ field, text }) => ({ field: `${field}.${line}`, text: `${name}: ${text}` })));
        if (result.fields.length === 0) setProblem(result.text);
        return false;
      }
    } catch {
      setProblem(failed);
      return false;
    }
    draft.clear();
    return true;
  };
  return { errors, problem, saveAll };
}
