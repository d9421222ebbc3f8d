/** Owns the specification's numbers on this side: they never change, so they cross from the core once. */
import { type Limits, limits } from "../../core";

let crossed: Limits | undefined;

export const numbers = (): Limits => (crossed ??= limits());
