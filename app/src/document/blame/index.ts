import "./blame.css";

export { Blame } from "./blame.ts";
export { BlameAuthors, BlameNotes } from "./views.tsx";
