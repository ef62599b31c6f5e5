/** The little Markdown that our rules pages use, read into plain data. */

export type Inline =
  | { kind: 'text' | 'bold' | 'code'; text: string }
  /** To the rules of another game. */
  | { kind: 'link'; text: string; href: string };

export interface Diagram {
  kind: 'diagram';
  from: string;
  /** What to do there: a move to play, one to ask about, or the ledger to show. */
  play: string | null;
  why: string | null;
  ledger: boolean;
  caption: string;
}

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string }
  | Diagram;

export function inline(text: string): Inline[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\(\w+\.md\))/)
    .filter((part) => part !== '')
    .map((part) => {
      const link = /^\[([^\]]+)\]\((\w+)\.md\)$/.exec(part);
      if (link) return { kind: 'link', text: link[1]!, href: `/rules/${link[2]}` };
      if (part.startsWith('**')) return { kind: 'bold', text: part.slice(2, -2) };
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
      return { kind: 'text', text: part.replaceAll('*', '') };
    });
}

export function readRules(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    const take = (more: (next: string) => boolean): string[] => {
      const taken: string[] = [];
      while (i < lines.length && more(lines[i]!)) taken.push(lines[i++]!);
      return taken;
    };
    const heading = /^(#+) (.*)$/.exec(line);
    if (line.trim() === '') i++;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]!.length, text: heading[2]! });
      i++;
    } else if (line.startsWith('<!-- draw')) {
      const [, what = ''] = /^<!-- draw [^:]+: (.*) -->$/.exec(line) ?? [];
      const caption = /^!\[([^\]]*)\]/.exec(lines[i + 1] ?? '')?.[1] ?? '';
      blocks.push(diagram(what, caption));
      i += caption ? 2 : 1;
    } else if (line.startsWith('```')) {
      i++;
      blocks.push({ kind: 'code', text: take((next) => !next.startsWith('```')).join('\n') });
      i++;
    } else if (line.startsWith('- ')) {
      const taken = take((next) => next.startsWith('- ') || next.startsWith('  '));
      const items = taken.join('\n').split(/^- /m).slice(1);
      blocks.push({ kind: 'list', items: items.map((item) => inline(item.replace(/\s+/g, ' ').trim())) });
    } else if (line.startsWith('|')) {
      const rows = take((next) => next.startsWith('|')).map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => inline(cell.trim())),
      );
      blocks.push({ kind: 'table', head: rows[0]!, rows: rows.slice(2) });
    } else {
      const taken = take((next) => next.trim() !== '' && !/^(#|- |\||```|<!-- draw)/.test(next));
      blocks.push({ kind: 'paragraph', text: inline(taken.join(' ')) });
    }
  }
  return blocks;
}

function diagram(what: string, caption: string): Diagram {
  const [from = '', act = ''] = what.split(' | ');
  const [verb, move = null] = act.split(' ');
  return {
    kind: 'diagram',
    from,
    play: verb === 'play' ? move : null,
    why: verb === 'why' ? move : null,
    ledger: verb === 'ledger',
    caption,
  };
}
