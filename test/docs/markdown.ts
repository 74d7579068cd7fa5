/** Reads the commands of a Markdown document: fenced blocks, and `everpost …` in running text. */

/** A fenced block of commands, with the directives of the invisible comments above it. */
export interface CommandBlock {
  readonly commands: readonly string[];
  /** `<!-- not run: reason -->` */
  readonly notRun?: string;
  /** `<!-- before: command -->`: its precondition. */
  readonly before: readonly string[];
}

interface FencedBlock {
  readonly language: string;
  readonly lines: readonly string[];
  /** Comments right above it, without their brackets. */
  readonly comments: readonly string[];
}

const SHELLS = ['sh', 'bash', 'shell', 'console'];
const COMMENT = /^<!--\s*(.*?)\s*-->$/;

export function commandBlocks(markdown: string): CommandBlock[] {
  return fencedBlocks(markdown)
    .filter(({ language }) => SHELLS.includes(language))
    .map(({ language, lines, comments }) => {
      const notRun = said(comments, 'not run')[0];
      return {
        commands: commandsIn(language === 'console' ? typed(lines) : lines),
        before: said(comments, 'before'),
        ...(notRun === undefined ? {} : { notRun }),
      };
    });
}

/** Lines that look like commands in a block that is not marked as one: the test would miss them. */
export function unlabelledCommands(markdown: string): string[] {
  return fencedBlocks(markdown)
    .filter(({ language }) => language === '')
    .flatMap(({ lines }) => lines.filter((line) => /^\s*(?:\$ |npx |npm |everpost |curl |docker )/.test(line)));
}

/** `everpost …` between backticks, outside of blocks. */
export function inlineCommands(markdown: string): string[] {
  const spans = markdown.replaceAll(BLOCKS, '').matchAll(/`((?:npx )?everpost\s[^`]+)`/g);
  return Array.from(spans, ([, command = '']) => command.replaceAll(/\s+/g, ' '));
}

const BLOCKS = /^(?: *)```[^]*?^(?: *)```/gm;

/** Links to files and headings of this repository, outside of blocks. */
export function linksOf(markdown: string): string[] {
  const links = markdown.replaceAll(BLOCKS, '').matchAll(/\]\(([^)\s]+)\)/g);
  return Array.from(links, ([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** The fragment of a link to each heading. */
export function anchorsOf(markdown: string): string[] {
  const headings = markdown.replaceAll(BLOCKS, '').matchAll(/^#{1,6} +(.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { language: string; lines: string[]; comments: string[] } | undefined;
  let comments: string[] = [];
  for (const line of markdown.split('\n')) {
    const fence = /^ *```\s*(\S*)/.exec(line);
    if (open !== undefined) {
      if (fence === null) open.lines.push(line);
      else {
        blocks.push(open);
        open = undefined;
      }
    } else if (fence !== null) {
      open = { language: fence[1] ?? '', lines: [], comments };
      comments = [];
    } else {
      const comment = COMMENT.exec(line.trim())?.[1];
      if (comment !== undefined) comments.push(comment);
      else if (line.trim() !== '') comments = [];
    }
  }
  return blocks;
}

function said(comments: readonly string[], what: string): string[] {
  return comments.filter((comment) => comment.startsWith(`${what}: `)).map((comment) => comment.slice(what.length + 2));
}

/** The typed lines of a transcript. */
function typed(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
}

/** One command each, however many lines it has, without comments. */
function commandsIn(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let begun = '';
  for (const line of lines) {
    if (begun === '' && (line.trim() === '' || line.trim().startsWith('#'))) continue;
    begun = begun === '' ? line : `${begun}\n${line}`;
    if (line.endsWith('\\') || hasOpenQuote(begun)) continue;
    commands.push(begun);
    begun = '';
  }
  return begun === '' ? commands : [...commands, begun];
}

function hasOpenQuote(text: string): boolean {
  let quote: string | undefined;
  for (const character of text) {
    if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = undefined;
  }
  return quote !== undefined;
}
