import { useState } from "react";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog } from "../ui/Dialog";
import { type Key, keysIn } from "../ui/key_table";
import { hasSingleKeys, setSingleKeys } from "../ui/keys";
import style from "./keys.module.css";

const PLACES: readonly Key["where"][] = ["everywhere", "list", "tree", "page", "document"];

/** Shows the keys, and turns those of a single character off and on. */
export function KeysDialog({ close }: { close: () => void }) {
  const [isOn, setOn] = useState(hasSingleKeys);
  return (
    <Dialog title={t.shell.shortcuts} close={close} isWide>
      <label className={style.single}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setSingleKeys(target.checked);
            setOn(target.checked);
          }}
        />
        {t.shortcuts.single}
      </label>
      {PLACES.map((place) => (
        <table key={place} className={style.keys}>
          <caption>{t.shortcuts[place]}</caption>
          <tbody>
            {keysIn(place).map((name) => (
              <tr key={name}>
                <th scope="row">{t.keys[name].shown}</th>
                <td>{t.keys[name].does}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <Buttons>
        <Close>{t.ui.close}</Close>
      </Buttons>
    </Dialog>
  );
}
