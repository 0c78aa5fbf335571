import { Link } from "@tanstack/react-router";
import { Bot, Clock, House, Trash2, Users } from "lucide-react";
import { FolderTree } from "./FolderTree";
import { NewDrive } from "./NewDrive";
import style from "./Sidebar.module.css";

/** The drives with their folders, and the lists beside them. */
export function Sidebar() {
  return (
    <>
      <ul className={style.list}>
        <li>
          <Link to="/" className={style.link} activeProps={{ "aria-current": "page" }}>
            <House aria-hidden size={16} /> Home
          </Link>
        </li>
      </ul>
      <FolderTree label="Drives and folders" />
      <ul className={style.list}>
        <li>
          <NewDrive className={style.action} />
        </li>
        <li>
          <Link to="/shared" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Users aria-hidden size={16} /> Shared with you
          </Link>
        </li>
        <li>
          <Link to="/recent" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Clock aria-hidden size={16} /> Recent
          </Link>
        </li>
        <li>
          <Link to="/agents" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Bot aria-hidden size={16} /> Agents
          </Link>
        </li>
        <li>
          <Link to="/trash" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Trash2 aria-hidden size={16} /> Trash
          </Link>
        </li>
      </ul>
    </>
  );
}
