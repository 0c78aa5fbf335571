import { Bot } from "lucide-react";
import { useContext } from "react";
import { t } from "../messages/messages";
import style from "./authors.module.css";
import { ColoursContext, initialsOf } from "./people";

/** Who did something: a user, alone or by an agent of theirs. */
export type AuthorName = { userId: string; name: string; agent: string | null };

export function nameOf({ name, agent }: AuthorName): string {
  return agent === null ? name : t.ui.by(agent, name);
}

/** A person's initials in their colour; they are drawn by the style, so that no text has them. */
export function Avatar({ author: { userId, name } }: { author: AuthorName }) {
  const colour = useContext(ColoursContext)({ id: userId });
  return <span aria-hidden className={`${style.avatar} ${colour}`} data-initials={initialsOf(name)} />;
}

/** An author's name with their sign: initials of a person, a robot of an agent. */
export function SignedAuthor({ author }: { author: AuthorName | null }) {
  return (
    <>
      {author?.agent === null && <Avatar author={author} />}
      <Author author={author} />
    </>
  );
}

/** The sign of an agent, beside words that say that it is one. */
export function AgentSign() {
  return <Bot aria-hidden className={style.agent} />;
}

/** An author's name; an agent has a sign, too, so that it is told apart at a glance. */
export function Author({ author }: { author: AuthorName | null }) {
  if (!author) return <span>{t.ui.unknownAuthor}</span>;
  return (
    <span className={style.author}>
      {author.agent !== null && <Bot className={style.agent} role="img" aria-label={t.ui.agent} />}
      {nameOf(author)}
    </span>
  );
}
