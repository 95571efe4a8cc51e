import type { WireFormat } from '../formats/operation.ts';
import type { Cell, RequestFeature } from './features.fixture.ts';

const NAMES: Readonly<Record<WireFormat, string>> = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' };

/** Writes the table of one kind of client as Markdown. */
export function renderFeatures(features: readonly RequestFeature[]): string {
  const formats = (Object.keys(NAMES) as WireFormat[]).filter((format) =>
    features.some(({ to }) => to[format] !== undefined),
  );
  const rows = features.map(({ feature, rule = '', to }) => [
    feature,
    ...formats.map((format) => renderCell(to[format])),
    rule,
  ]);
  const head = ['Feature', ...formats.map((format) => NAMES[format]), 'Rule'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function renderCell(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return cell.kind === 'refused' ? `422 \`${cell.field}\`` : cell.kind;
}

/** Removes what a formatter of Markdown adds: spaces and longer lines of tables. */
export const normalizeTable = (text: string): string =>
  text
    .replace(/-+/g, '-')
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n');
