import { Bot } from "lucide-react";
import { formats, t } from "../messages/messages";
import { type DocumentColours, initialsOf } from "../ui/people";
import { nameOf, type Person } from "./carets";
import style from "./DocumentScreen.module.css";
import { keyOf } from "./document_session";

const MAX_SHOWN = 5;

/** Who is in the document; of many the first, and how many more. */
export function People({ people, colours }: { people: readonly Person[]; colours: DocumentColours }) {
  const shown = people.length > MAX_SHOWN ? people.slice(0, MAX_SHOWN - 1) : people;
  const others = people.slice(shown.length).map(nameOf).join(", ");
  return (
    <ul className={style.people} aria-label={t.document.here}>
      {shown.map((person) => (
        <li
          key={keyOf(person)}
          className={colours.classOf(person)}
          data-agent={person.agent !== null && person.agent !== undefined}
          title={nameOf(person)}
        >
          <span className="unseen">{nameOf(person)}</span>
          {person.agent ? <Bot aria-hidden size={14} /> : <span aria-hidden>{initialsOf(nameOf(person))}</span>}
        </li>
      ))}
      {others && (
        <li className={style.others} title={others}>
          <span className="unseen">{others}</span>
          <span aria-hidden>+{formats.number(people.length - shown.length)}</span>
        </li>
      )}
    </ul>
  );
}
