import { describe, expect, it } from '@jest/globals';
import { detailLines } from './detail-view.ts';

describe('detailLines', () => {
  it('shows a row for each field, including nested fields', () => {
    expect(
      detailLines({
        id: 'a',
        auth: { type: 'bearerToken', secret: { id: 's' } },
        tags: ['x', 'y'],
        off: false,
        none: null,
      }),
    ).toEqual([
      'id              a',
      'auth.type       bearerToken',
      'auth.secret.id  s',
      'tags            x, y',
      'off             false',
      'none            -',
    ]);
  });

  it('shows a text of several lines as lines below its name', () => {
    expect(detailLines({ mode: 'cedar', document: 'permit (\n  principal,\n);\n' })).toEqual([
      'mode  cedar',
      'document',
      '  permit (',
      '    principal,',
      '  );',
    ]);
  });

  it('shows a list of objects as a table', () => {
    expect(detailLines({ groups: [{ name: 'a', people: 10 }, { name: 'long' }], members: [], metadata: {} })).toEqual([
      'groups',
      '  NAME  PEOPLE',
      '  a     10',
      '  long  -',
      'members   -',
      'metadata  -',
    ]);
  });

  it('escapes control characters, also in names and tables', () => {
    const shown = detailLines({ 'a\u001b': '\u001b[2J', list: [{ 'b\u0007': '\u009b' }], text: 'x\n\u001b[H' }).join(
      '\n',
    );
    expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
