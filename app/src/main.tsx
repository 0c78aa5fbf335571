import { CSPProvider } from "@base-ui/react/csp-provider";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../web/static/tokens.css";
import { router } from "./routes";
import "./ui/page.css";

const root = document.getElementById("application");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <RouterProvider router={router} />
      </CSPProvider>
    </StrictMode>,
  );
}
