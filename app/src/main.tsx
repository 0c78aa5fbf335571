import { CSPProvider } from "@base-ui/react/csp-provider";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../web/static/tokens.css";
import { firstDataIn, SessionProvider } from "./graphql/session";
import { sessionFrom } from "./shell/first_data";
import { makeRouter } from "./shell/routes";
import { nameLoadErrors } from "./ui/lazy_dialog";
import "./ui/page.css";

const root = document.getElementById("application");
if (root) {
  nameLoadErrors();
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SessionProvider session={sessionFrom(firstDataIn(document), location.pathname)}>
          <RouterProvider router={makeRouter()} />
        </SessionProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
