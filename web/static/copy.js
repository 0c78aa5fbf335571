// Shows the copy buttons, which need a script; without one the text beside them can be selected.
for (const button of document.querySelectorAll("button[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const said = document.getElementById(button.dataset.says);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      said.textContent = "Copied";
    } catch {
      said.textContent = "Select the text and copy it";
    }
  });
}
