// Tells when a key was used for the first time; without a script the list of keys tells it at the next load.
(() => {
  "use strict";
  const EVERY = 3000; // milliseconds
  const told = document.querySelector("[data-key]");
  const { key, connected } = told.dataset;
  told.querySelector("[hidden]").hidden = false;

  async function isUsed() {
    const answer = await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ viewer { apiKeys { id lastUsedAt } } }" }),
    });
    const { data } = await answer.json();
    return data.viewer.apiKeys.some(({ id, lastUsedAt }) => id === key && lastUsedAt);
  }

  const asking = setInterval(async () => {
    if (document.hidden || !(await isUsed().catch(() => false))) return;
    clearInterval(asking);
    told.textContent = connected;
  }, EVERY);
})();
