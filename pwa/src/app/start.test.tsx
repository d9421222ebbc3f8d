/** Shows that the page waits as the app does, before there is one. */
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import page from "../../index.html?raw";
import { Waiting } from "./App";

test("until the app has begun the page shows what the app shows while it waits", async () => {
  const root = new DOMParser().parseFromString(page, "text/html").getElementById("root");
  const text = root?.innerHTML.replaceAll(/\s*\n\s*/g, "");
  const { container } = await render(<Waiting />);
  expect(text).toBe(container.innerHTML);
});
