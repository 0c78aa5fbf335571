// Writes the typing of several people in one document as Yjs updates: `node updates.mjs PEOPLE UPDATES`.
//
// Prints JSON: `base`, the initial document, and for each person `updates`, each of which depends on the base and
// on what the same person typed before. Of ten updates eight insert a character, one deletes one, and one (the last)
// inserts a word that stands nowhere else, `marks` tells which: so it can be seen when it arrives at the others.
import * as Y from "yjs";

const [people, count] = process.argv.slice(2).map(Number);
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
let seed = 7;
const random = (below) => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};

const begun = new Y.Doc();
begun.clientID = 1;
const paragraphs = Array.from({ length: people * 2 }, () => {
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText("Nothing that floats is ever quite where it was put. ")]);
  return paragraph;
});
begun.getXmlFragment("default").insert(0, paragraphs);
const base = Y.encodeStateAsUpdate(begun);

const typed = (person) => {
  const doc = new Y.Doc();
  doc.clientID = 2_000_000_000 + person * 12_345_677; // as large as they usually are
  Y.applyUpdate(doc, base);
  const updates = [];
  doc.on("update", (update) => updates.push(base64(update)));
  const marks = {};
  let text, at;
  for (let turn = 0; turn < count; turn++) {
    if (turn % 50 === 0) {
      const mine = random(5) > 0 ? person * 2 + random(2) : random(people * 2);
      text = doc.getXmlFragment("default").get(mine).get(0);
      at = random(text.length);
    }
    if (turn % 10 === 9) {
      marks[turn] = `~${person}.${String(turn).padStart(6, "0")}~`;
      text.insert(at, marks[turn]);
      at += marks[turn].length;
    } else if (turn % 10 === 4) {
      text.delete(--at, 1);
    } else {
      text.insert(at++, "abcdefghijklmnopqrstuvwxyz  "[random(28)]);
    }
  }
  return { updates, marks };
};

process.stdout.write(JSON.stringify({ base: base64(base), people: Array.from({ length: people }, (_, at) => typed(at)) }));
