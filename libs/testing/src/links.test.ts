import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const isIgnored = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|dist-test|\.[^/]+)(?:\/|$)/.test(path);
const documents = globSync(['*.md', '{apps,libs,tools,docs,deploy}/**/*.md'], {
  cwd: root,
  exclude: isIgnored,
}).filter((path) => !isIgnored(path));

/** Methods of MCP look like paths. */
const METHODS = /^tools\/(?:call|list)$/;

/** The anchors of a document's headings, in the form of the usual renderers. */
const listAnchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Links of a document to files of the repository: its text without code, `[text](target)`. */
const listLinks = (text: string): string[] =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('documents', () => {
  it.each(documents)('%s has no dead link', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const dead = listLinks(text).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(root, document) : join(root, dirname(document), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !listAnchors(readFileSync(file, 'utf8')).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it('are all listed in the index docs/README.md', () => {
    const index = listLinks(readFileSync(join(root, 'docs/README.md'), 'utf8'));
    const listed = documents.filter(
      (path) => /^docs\/(?:settings\/)?[^/]+\.md$/.test(path) && path !== 'docs/README.md',
    );
    expect(listed.filter((path) => !index.includes(path.slice('docs/'.length)))).toEqual([]);
  });

  it.each(documents.filter((path) => path.endsWith('README.md')))('%s has at most 80 lines', (document) => {
    expect(readFileSync(join(root, document), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it.each(documents.filter((path) => path.startsWith('docs/decisions/')))('%s has at most 60 lines', (document) => {
    expect(readFileSync(join(root, document), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it.each(documents)('%s names only existing paths of the repository', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const named = [...text.matchAll(/`((?:apps|libs|tools|docs|deploy)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    const places = [root, join(root, dirname(document))];
    const missing = named.filter(
      (path) =>
        !METHODS.test(path) && !path.includes('/dist') && !places.some((place) => existsSync(join(place, path))),
    );
    expect(missing).toEqual([]);
  });
});
