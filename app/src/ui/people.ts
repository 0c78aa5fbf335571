/** How people and agents are told apart at a glance. */

const COLOURS = 8;

/** Returns the name of an author's colour, which is the same in every window; all agents have one that no person has. */
export function colourOf({ id, agent }: { id?: string; agent?: string | null }): number | "agent" {
  if (agent) return "agent";
  let sum = 0;
  for (const letter of `${id} `) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum % COLOURS;
}

/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
