import { useState } from "react";
import { Buttons, Close, Dialog } from "../ui/Dialog";
import { KEYS, type Key } from "../ui/key_table";
import { hasSingleKeys, setSingleKeys } from "../ui/keys";
import style from "./keys.module.css";

const PLACES: Record<Key["where"], string> = {
  everywhere: "Everywhere",
  list: "In a list",
  tree: "In the tree of folders",
  document: "In a document",
};

/** Shows the keys, and turns those of a single character off and on. */
export function KeysDialog({ close }: { close: () => void }) {
  const [isOn, setOn] = useState(hasSingleKeys);
  return (
    <Dialog title="Keyboard shortcuts" close={close} isWide>
      <label className={style.single}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setSingleKeys(target.checked);
            setOn(target.checked);
          }}
        />
        Single-key shortcuts
      </label>
      {Object.entries(PLACES).map(([place, title]) => (
        <table key={place} className={style.keys}>
          <caption>{title}</caption>
          <tbody>
            {Object.values(KEYS)
              .filter(({ where }) => where === place)
              .map(({ shown, does }) => (
                <tr key={`${shown} ${does}`}>
                  <th scope="row">{shown}</th>
                  <td>{does}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
      <Buttons>
        <Close>Close</Close>
      </Buttons>
    </Dialog>
  );
}
