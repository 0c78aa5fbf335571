import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const root = document.getElementById("application");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main>Codrive</main>
    </StrictMode>,
  );
}
