import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOverlays } from './overlays.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'overlays-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files by their paths; a path that ends with a slash is a folder. */
function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path.endsWith('/') ? path : dirname(path)), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(join(folder, path), text);
  }
}

interface MountSpec {
  readonly source?: string;
  readonly target?: string;
  readonly readOnly?: boolean;
}

function resolve(mounts: readonly MountSpec[] = [{}], globalFile?: string) {
  const declared = mounts.map(({ source = 'p', target = '/t', readOnly = true }) => ({
    ...{ source: join(folder, source), target, readOnly, origin: `--volume ${source}:${target}` },
  }));
  return resolveOverlays(declared, globalFile === undefined ? undefined : join(folder, globalFile));
}

const list = async (...options: Parameters<typeof resolve>) =>
  (await resolve(...options)).map(({ path, kind }) => (kind === 'folder' ? `${path}/` : path));

describe('resolveOverlays', () => {
  it('hides files and folders by the ignore file of the mounted folder, and names the rule', async () => {
    write({ 'p/.gatehouseignore': '# x\n.env\nsecrets/\n', 'p/a/.env': '', 'p/secrets/k': '', 'p/b': '' });
    expect(await resolve()).toEqual([
      { mount: '/t', path: '/t/a/.env', kind: 'file', rule: '.env', file: join(folder, 'p/.gatehouseignore'), line: 2 },
      {
        mount: '/t',
        path: '/t/secrets',
        kind: 'folder',
        rule: 'secrets/',
        file: join(folder, 'p/.gatehouseignore'),
        line: 3,
      },
    ]);
  });

  it('lets ignore files of deeper folders decide', async () => {
    write({
      global: '*.pem\n',
      'p/.gatehouseignore': '*.key\n',
      'p/a/.gatehouseignore': '!public.pem\n!public.key\n/only-here\n',
      ...{ 'p/x.pem': '', 'p/x.key': '', 'p/a/public.pem': '', 'p/a/public.key': '', 'p/a/other.key': '' },
      ...{ 'p/a/only-here': '', 'p/only-here': '', 'p/a/b/only-here': '' },
    });
    expect(await list([{}], 'global')).toEqual(['/t/a/only-here', '/t/a/other.key', '/t/x.key', '/t/x.pem']);
  });

  it('never lets a server show a file by an ignore file that it wrote', async () => {
    write({
      global: '*.pem\n',
      'p/.thvignore': '*.key\n',
      'p/.gatehouseignore': '!*.pem\n!*.key\n*.env\n!keep.env\n',
      'p/a/.gatehouseignore': '!*.env\n',
      ...{ 'p/x.pem': '', 'p/x.key': '', 'p/a/x.env': '', 'p/keep.env': '' },
    });
    expect(await list([{ readOnly: false }], 'global')).toEqual([
      ...['/t/.gatehouseignore', '/t/.thvignore', '/t/a/.gatehouseignore', '/t/a/x.env', '/t/x.key', '/t/x.pem'],
    ]);
    // The folder is writable by the other mount.
    const both = [{}, { source: 'p/a', target: '/u', readOnly: false }];
    expect(await list(both, 'global')).toContain('/t/x.pem');
  });

  it('reads the local ignore file of ToolHive', async () => {
    write({ 'p/.thvignore': '.env\n', 'p/.env': '' });
    expect(await list()).toEqual(['/t/.env']);
  });

  it('hides a path in each mount that contains it', async () => {
    write({ 'p/.gatehouseignore': 'a/b/.env\n', 'p/a/b/.env': '' });
    const mounts = [{}, { source: 'p/a', target: '/u' }, { source: 'p/a/b', target: '/v' }];
    expect(await list(mounts)).toEqual(['/t/a/b/.env', '/u/b/.env', '/v/.env']);
  });

  it('leaves paths to the mounts at or within them', async () => {
    write({ 'p/.gatehouseignore': '.env\n', 'p/.env': '', 'p/in/.env': '', 'other/': '', file: '' });
    const mounts = [{}, { source: 'file', target: '/t/.env' }, { source: 'other', target: '/t/in' }];
    expect(await list(mounts)).toEqual([]);
  });

  it('hides the content that a symbolic link points to, in every mount', async () => {
    write({ 'p/.gatehouseignore': 'link\nbroken\nout\ndir\n', 'p/real': '', 'p/d/x': '', 'q/z': '', elsewhere: '' });
    symlinkSync('real', join(folder, 'p/link'));
    symlinkSync('missing', join(folder, 'p/broken'));
    symlinkSync('../elsewhere', join(folder, 'p/out'));
    symlinkSync(join(folder, 'p/d'), join(folder, 'p/dir'));
    symlinkSync(join(folder, 'q'), join(folder, 'p/into-q'));
    expect(await list([{}, { source: 'q', target: '/q' }])).toEqual(['/t/d/', '/t/real']);
  });

  it('does not enter hidden folders', async () => {
    write({ 'p/.gatehouseignore': 'node_modules/\n!node_modules/keep\n', 'p/node_modules/keep/.env': '' });
    const nested = join(folder, 'p/node_modules/locked');
    mkdirSync(nested);
    symlinkSync('/dev/zero', join(nested, '.gatehouseignore'));
    expect(await list()).toEqual(['/t/node_modules/']);
  });

  it('handles names of any characters', async () => {
    const names = ['a\nb.key', 'ü 日本.key', ':x,y.key', '__proto__.key', '-n.key', 'a\\b.key'];
    write({ 'p/.gatehouseignore': '*.key\n', ...Object.fromEntries(names.map((name) => [`p/${name}`, ''])) });
    expect(new Set(await list())).toEqual(new Set(names.map((name) => `/t/${name}`)));
  });

  it('refuses a name that is not UTF-8 when a rule hides it', async () => {
    write({ 'p/.gatehouseignore': '*.key\n' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/p/`), Buffer.from([0xff]), Buffer.from('.key')]), '');
    await expect(list()).rejects.toThrow('is not UTF-8');
  });

  it.each([
    ['a pattern that is none', () => write({ 'p/a/.gatehouseignore': '[x\n' }), 'a/.gatehouseignore, line 1'],
    ['a symbolic link', () => symlinkSync('/etc/hostname', join(folder, 'p/.gatehouseignore')), 'is a symbolic link'],
    ['a pipe', () => execFileSync('mkfifo', [join(folder, 'p/.gatehouseignore')]), 'is not a file'],
    ['another encoding', () => writeFileSync(join(folder, 'p/.thvignore'), Buffer.from([0xe9])), 'is not UTF-8'],
    ['an endless file', () => write({ 'p/.gatehouseignore': 'a'.repeat(1_100_000) }), 'is larger than 1 MiB'],
  ])('stops at an ignore file that is %s', async (_, prepare, problem) => {
    write({ 'p/': '' });
    prepare();
    await expect(list()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(new RegExp(`^--volume p:/t: .*${problem}`)),
    });
  });

  it('stops when the ignore file of the user is a folder, and starts when it is missing', async () => {
    write({ 'p/.env': '', 'global/': '' });
    await expect(list([{}], 'global')).rejects.toThrow('is not a file');
    expect(await list([{}], 'missing')).toEqual([]);
  });

  it('stops at a folder that it cannot read when rules apply to it', async () => {
    if (process.getuid?.() === 0) return;
    write({ 'p/locked/': '', 'p/b': '' });
    chmodSync(join(folder, 'p/locked'), 0);
    expect(await list()).toEqual([]);
    write({ 'p/.gatehouseignore': '.env\n' });
    await expect(list()).rejects.toThrow('cannot be read');
    chmodSync(join(folder, 'p/locked'), 0o700);
  });

  it('limits the number of overlays and names the pattern with the most', async () => {
    const files = Array.from({ length: 501 }, (_, index) => [`p/${index}.log`, '']);
    write({ 'p/.gatehouseignore': '.env\n*.log\n', 'p/.env': '', ...Object.fromEntries(files) });
    await expect(list()).rejects.toThrow(/hide 502 paths.*501 are those of the pattern \*\.log .*line 2/);
  });
});
