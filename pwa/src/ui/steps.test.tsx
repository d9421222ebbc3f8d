/** Shows what the browser's history knows of the app's own steps. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Link, useLocation } from "wouter";
import { At } from "../../test/At";
import { goBack, useStep } from "./steps";

function Where() {
  const [path, navigate] = useLocation();
  const step = useStep();
  return (
    <>
      <output>{`${path} ${step ? (step.above ? "above" : "ours") : "first"}`}</output>
      <Link to="/clients">Clients</Link>
      <button type="button" onClick={() => navigate("/clients?form=add", { state: { above: true } })}>
        Add
      </button>
      <button type="button" onClick={() => navigate("/walk", { replace: true })}>
        Instead
      </button>
      <button type="button" onClick={goBack}>
        Back
      </button>
    </>
  );
}

test("steps of the app are told from the one that opened it, also on the way back", async () => {
  await render(
    <At path="/walks">
      <Where />
    </At>,
  );
  const where = page.getByRole("status");
  await expect.element(where).toHaveTextContent("/walks first");
  await page.getByRole("link", { name: "Clients" }).click();
  await expect.element(where).toHaveTextContent("/clients ours");
  await page.getByRole("button", { name: "Add" }).click();
  await expect.element(where).toHaveTextContent("/clients above");
  await page.getByRole("button", { name: "Back" }).click();
  await expect.element(where).toHaveTextContent("/clients ours");
  await page.getByRole("button", { name: "Back" }).click();
  await expect.element(where).toHaveTextContent("/walks first");
});

test("what takes the place of the step that opened the app is the app's own", async () => {
  await render(
    <At path="/scheduling">
      <Where />
    </At>,
  );
  await page.getByRole("button", { name: "Instead" }).click();
  await expect.element(page.getByRole("status")).toHaveTextContent("/walk ours");
});
