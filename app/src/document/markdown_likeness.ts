/** Judges whether a text that is pasted is meant as Markdown; the server reads it then. Undo gives the plain text back. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+\S/;
const BULLET = /^ *([-*+])[ \t]+\S/;
const TASK = /^ *[-*+][ \t]+\[[ xX]\][ \t]+\S/;
const NUMBER = /^ *\d{1,9}[.)][ \t]+\S/;
const QUOTE = /^ {0,3}>[ \t]?\S/;
/** The line below the first one of a table. */
const DELIMITERS = /^ *\|?( *:?-+:? *\|)+( *:?-+:? *)?$/;
/** What stands within a line and means nothing else: bold, struck out, code, a link or an image. */
const WITHIN =
  /\*\*(?=\S)[^*\n]*[^*\s]\*\*|~~(?=\S)[^~\n]*[^~\s]~~|(?<!`)`(?!`)[^`\n]+`(?!`)|!?\[[^\]\n]*\]\(<?[^\s()<>]+[^)\n]*\)/;
/** How lines of programs and of their settings end or begin. */
const CODE = new RegExp(
  [
    String.raw`[;{}]\s*$`,
    String.raw`^#!|^\s*(//|/\*|\*/|<\/?\w|@\w+|\$ )`,
    String.raw`^\s*(import|from|def|class|const|let|var|function|return|export|public|private|static|package|using|sudo|echo|cd|set|if \(|for \(|while \(|elif|else:)\b`,
    String.raw`^\s*[\w.[\]"'-]+\s*(=|\+=|:=)\s*\S`,
    String.raw`^\s*[\w.-]+:(\s*$|\s+["'\d\[{])`,
    String.raw`^(@@|diff |index |--- |\+\+\+ )`,
  ].join("|"),
);
const MUCH_CODE = 1 / 3; // of the lines outside of fences
// the beginning tells: a search of a line takes the square of its length
const MAX_LENGTH = 20_000;
const MAX_LINE = 500;

export function looksLikeMarkdown(text: string): boolean {
  const { lines, hasFences } = outsideOfFences(linesOf(text));
  if (hasFences) return true;
  if (isCode(lines)) return false;
  return hasBlocks(lines) || lines.some((line) => WITHIN.test(line));
}

function linesOf(text: string): string[] {
  const lines = text.slice(0, MAX_LENGTH).split(/\r\n?|\n/);
  return lines.map((line) => line.slice(0, MAX_LINE));
}

/** The lines that are not in fences, and whether there are fences that end. */
function outsideOfFences(lines: readonly string[]): { lines: string[]; hasFences: boolean } {
  const found: string[] = [];
  let open: string | null = null;
  let hasFences = false;
  for (const line of lines) {
    const fence = FENCE.exec(line)?.[1] ?? null;
    if (open === null && fence) open = fence;
    else if (open !== null && fence?.startsWith(open) && line.trim() === fence) {
      open = null;
      hasFences = true;
    } else if (open === null) found.push(line);
  }
  return { lines: found, hasFences };
}

function isCode(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== "");
  const code = written.filter((line) => CODE.test(line)).length;
  const signs = new Set(written.map((line) => /^[-+](?=\S|[ \t])/.exec(line)?.[0]).filter(Boolean));
  return code > written.length * MUCH_CODE || (signs.size === 2 && written.some((line) => /^(@@|[-+]\S)/.test(line)));
}

function hasBlocks(lines: readonly string[]): boolean {
  const count = (form: RegExp) => lines.filter((line) => form.test(line)).length;
  return (
    lines.some((line, index) => HEADING.test(line) && !lines[index - 1]?.trim()) ||
    lines.some((line, index) => index > 0 && DELIMITERS.test(line) && lines[index - 1]?.includes("|")) ||
    lines.some((line) => TASK.test(line) || QUOTE.test(line)) ||
    count(BULLET) > 1 ||
    count(NUMBER) > 1
  );
}
