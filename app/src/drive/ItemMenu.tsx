import { useState } from "react";
import { AfterDialog } from "../ui/Dialog";
import { ShownMenu } from "../ui/menu";
import type { ItemMenuProps } from "./FolderTree";
import { useItemPlace } from "./item_place";
import { useItemCommands } from "./useItemCommands";

/** The menu of an item of the sidebar, once it is known what the reader may do with it; its dialogs stay after it. */
export function ItemMenu({ asked, after }: ItemMenuProps) {
  const { data: item } = useItemPlace(asked.itemId);
  const [closed, setClosed] = useState<ItemMenuProps["asked"] | null>(null);
  const { menuOf, dialogs } = useItemCommands();
  return (
    <>
      <ShownMenu
        isOpen={!!item && closed !== asked}
        close={() => setClosed(asked)}
        anchor={() => asked.at}
        within="sidebar"
        after={after}
      >
        {item && menuOf(item, [item])}
      </ShownMenu>
      <AfterDialog value={after}>{dialogs}</AfterDialog>
    </>
  );
}
