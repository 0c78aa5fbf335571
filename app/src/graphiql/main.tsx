import { GraphiQL } from "graphiql";
import "graphiql/setup-workers/vite";
import "graphiql/style.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { asked } from "./fetcher";
import "./page.css";

const WELCOME = `# Where you are signed in, you ask as yourself. To ask with an API key, sign out, and put this into "Headers" below:
#   {"x-api-key": "cdr_..."}
# Ctrl and Space complete what you type, Ctrl and Enter run it, and the book on the left shows the whole schema.

query Home {
  viewer { name email }
  drives(first: 10) {
    nodes { name items(first: 10) { nodes { id name driveItemType updatedAt } } }
    pageInfo { hasNextPage }
  }
}
`;

const root = document.getElementById("graphiql");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <GraphiQL
        fetcher={asked}
        defaultQuery={WELCOME}
        defaultEditorToolsVisibility="headers"
        // a key is among the headers, and the history keeps them
        shouldPersistHeaders={false}
        plugins={[]}
      />
    </StrictMode>,
  );
}
