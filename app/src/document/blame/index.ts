import "./blame.css";

export { Blame } from "./blame";
export { BlameAuthors, BlameNotes } from "./views";
