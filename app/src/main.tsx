import { CSPProvider } from "@base-ui/react/csp-provider";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../web/static/tokens.css";
import { firstDataIn, SessionProvider } from "./graphql/session";
import { chosenLanguage, languageFor, speak } from "./messages/messages";
import { sessionFrom } from "./shell/first_data";
import { makeRouter } from "./shell/routes";
import { nameLoadErrors } from "./ui/lazy_dialog";
import "./ui/page.css";

/** Draw the application in a language. */
async function begin(root: HTMLElement) {
  // the module that holds the words of another language needs this one: it may not be waited for while this one is evaluated
  document.documentElement.lang = await speak(languageFor(navigator.languages, chosenLanguage()), navigator.languages);
  const session = sessionFrom(firstDataIn(document), location.pathname);
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SessionProvider session={session}>
          <RouterProvider router={makeRouter(session)} />
        </SessionProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

const root = document.getElementById("application");
if (root) {
  nameLoadErrors();
  void begin(root);
}
