/** Owns what is printed: one line per figure with its target and what was measured. It measures nothing. */
import { availableParallelism, loadavg } from "node:os";
import type { FullResult, Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const say = (line: string) => process.stdout.write(`${line}\n`);

export default class Lines implements Reporter {
  onBegin(): void {
    const [load = 0] = loadavg();
    // Times mean nothing where others want the same processors.
    if (load > 1) say(`Others are at work here: load ${load.toFixed(1)} on ${availableParallelism()} processors.`);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const figures = result.annotations.filter((it) => it.type === "figure");
    for (const { description } of figures) say(description ?? "");
    if (result.status === "passed" || result.status === "skipped") return;
    // A figure that does not hold says so in its line; anything else needs its own words.
    if (figures.every((it) => it.description?.endsWith("holds"))) {
      say(`${test.title}: ${result.errors.map((it) => it.message).join("\n")}`);
    }
  }

  onEnd(result: FullResult): void {
    if (result.status !== "passed") say("The phone's figures do not all hold.");
  }
}
