import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { t } from "../messages/messages";
import { Fault } from "../ui/Dialog";
import { MAX_NAME } from "../ui/NameDialog";
import { sentence } from "../ui/states";
import { useItemActions } from "./actions";
import style from "./DocumentTitle.module.css";
import { itemPlace, type PlacedItem } from "./item_place";

type Props = {
  item: PlacedItem;
  isEditing: boolean;
  setEditing: (isEditing: boolean) => void;
  field: RefObject<HTMLInputElement | null>;
};

/** A document's title, which is its name: whoever may edit it presses it and writes another. */
export function DocumentTitle({ item, isEditing, setEditing, field }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const goesBack = useRef(false);

  // the keyboard goes back to what the field took the place of
  useEffect(() => {
    if (!isEditing && goesBack.current) button.current?.focus();
    goesBack.current = false;
  }, [isEditing]);

  if (!item.capabilities.includes("edit")) return item.name;
  if (!isEditing)
    return (
      <button
        ref={button}
        type="button"
        className={style.title}
        title={t.document.rename}
        onClick={() => setEditing(true)}
      >
        {item.name}
      </button>
    );
  return (
    <TitleField
      item={item}
      field={field}
      close={(byKey) => {
        goesBack.current = byKey;
        setEditing(false);
      }}
    />
  );
}

type FieldProps = Pick<Props, "item" | "field"> & { close: (byKey: boolean) => void };

/** Enter, or going elsewhere, gives the name; Escape leaves it as it was. */
function TitleField({ item, field, close }: FieldProps) {
  const queries = useQueryClient();
  const { renaming } = useItemActions();
  const [fault, setFault] = useState<string | null>(null);
  const isSent = useRef(false);
  const id = useId();

  useLayoutEffect(() => {
    // a menu gives it the keyboard itself, when it is closed
    if (!document.activeElement?.closest("[role=menu]")) field.current?.focus();
    field.current?.select();
  }, [field]);

  async function give(byKey: boolean) {
    const name = field.current?.value.trim();
    if (isSent.current) return;
    if (!name || name === item.name) return close(byKey);
    isSent.current = true;
    try {
      await renaming(item).give(name);
      queries.setQueryData(itemPlace(item.id).queryKey, (known) => known && { ...known, name });
      close(byKey);
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      isSent.current = false;
      field.current?.focus();
    }
  }

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void give(true);
    else if (event.key === "Escape") {
      isSent.current = true; // it is left without a name
      close(true);
    } else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        ref={field}
        type="text"
        className={style.field}
        aria-label={t.document.title}
        defaultValue={item.name}
        maxLength={MAX_NAME}
        autoComplete="off"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? id : undefined}
        onKeyDown={key}
        onBlur={() => void give(false)}
      />
      {fault && <Fault id={id}>{fault}</Fault>}
    </>
  );
}
