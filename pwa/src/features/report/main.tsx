/** Owns the start of a shared report's page, which is no part of the app: no account, no service worker, and nothing kept but the map. */
import "../../ui/tokens.css";
import { createRoot } from "react-dom/client";
import { PublicReport } from "./PublicReport";

const root = document.getElementById("root");
const [, , shareId = ""] = location.pathname.split("/");
if (root) createRoot(root).render(<PublicReport shareId={shareId} />);
