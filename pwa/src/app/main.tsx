/** Owns the start: theme before the first paint, then the app, then the service worker when there is time. */
import "../ui/tokens.css";
// Decides what counts as a press before any screen hears of it.
import "../ui/press";
// Hears the browser's offer to install, which comes before any screen asks for it.
import "../parts/install";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "../ui/theme";
import { App } from "./App";
import { enterSide, sideAt } from "./side";
import { begin } from "./start";
import { watchForUpdates } from "./update";

applyTheme();
// Before the browser looks whether the page can be installed, and as what.
enterSide(sideAt(location.pathname, undefined));

const root = document.getElementById("root");
if (root) {
  // The page waits as `Waiting` does. To render that first would keep the rows and the code of the screen waiting.
  root.hidden = false;
  const show = () =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  // What fails is told by the app.
  void begin().then(show, show);
}

// A worker in development would serve yesterday's code.
if (import.meta.env.PROD) void watchForUpdates();
