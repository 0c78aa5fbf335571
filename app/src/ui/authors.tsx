import { Bot } from "lucide-react";
import style from "./authors.module.css";

/** Who did something: a user, alone or by an agent of theirs. */
export type AuthorName = { userId: string; name: string; agent: string | null };

export function nameOf({ name, agent }: AuthorName): string {
  return agent === null ? name : `${agent} for ${name}`;
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}

/** An author's name; an agent has a sign, too, so that it is told apart at a glance. */
export function Author({ author }: { author: AuthorName | null }) {
  if (!author) return <span>Not recorded</span>;
  return (
    <span className={style.author}>
      {author.agent !== null && <Bot size={15} className={style.agent} role="img" aria-label="Agent:" />}
      {nameOf(author)}
    </span>
  );
}
