import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const MODULES = 40;
const COMMANDS = 90;

describe('tools/build/build.mjs', () => {
  let project: string;
  const source = (name: string, text: string) => writeFileSync(join(project, 'src', name), text);
  const build = () => run(process.execPath, ['tools/build/build.mjs', project], { cwd: root });
  const writeModules = (value: number) => {
    const names = Array.from({ length: MODULES }, (_, index) => `part${index}`);
    for (const name of names) source(`${name}.ts`, `export const ${name}: number = ${value};\n`);
    const imports = names.map((name) => `import { ${name} } from './${name}.ts';\n`).join('');
    source('main.ts', `${imports}console.log(String(${names.join(' + ')}));\n`);
  };

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'gatehouse-build-'));
    mkdirSync(join(project, 'src'));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it(`lets ${COMMANDS} commands succeed during repeated builds`, async () => {
    writeModules(0);
    await build();
    const commands = { areDone: false };
    let builds = 0;
    const building = (async () => {
      for (; !commands.areDone; builds += 1) {
        writeModules(builds % 2);
        await build();
      }
    })();
    const outputs: string[] = [];
    try {
      for (let count = 0; count < COMMANDS; count += 3) {
        const started = [1, 2, 3].map(() => run(process.execPath, [join(project, 'dist', 'main.js')]));
        outputs.push(...(await Promise.all(started)).map(({ stdout }) => stdout.trim()));
      }
    } finally {
      commands.areDone = true;
      await building;
    }
    expect(builds).toBeGreaterThan(1);
    expect(outputs.filter((output) => /^\d+$/.test(output))).toHaveLength(COMMANDS);
  }, 120_000);

  it('writes only modules whose source has changed', async () => {
    writeModules(0);
    await build();
    const before = filesBelow(join(project, 'dist'));
    await build();
    expect(filesBelow(join(project, 'dist'))).toEqual(before);
    source('part7.ts', 'export const part7: number = 7;\n');
    await build();
    const after = filesBelow(join(project, 'dist'));
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect(changed.sort()).toEqual(['.build.json', 'part7.js', 'part7.js.map']);
  });

  it('removes the module of a deleted source', async () => {
    source('gone.ts', 'export const gone = 1;\n');
    await build();
    expect(Object.keys(filesBelow(join(project, 'dist')))).toContain('gone.js');
    rmSync(join(project, 'src', 'gone.ts'));
    await build();
    expect(Object.keys(filesBelow(join(project, 'dist')))).not.toContain('gone.js');
  });

  it('writes a missing module again', async () => {
    await build();
    rmSync(join(project, 'dist', 'part1.js'));
    await build();
    expect(readFileSync(join(project, 'dist', 'part1.js'), 'utf8')).toContain('part1');
  });

  it('keeps the last valid module when a source cannot be compiled, and reports the position of the error', async () => {
    writeModules(0);
    await build();
    const before = filesBelow(join(project, 'dist'));
    source('part3.ts', 'export const part3: number = ;\n');
    await expect(build()).rejects.toMatchObject({ stderr: expect.stringMatching(/The build failed: [^]*part3\.ts/) });
    expect(filesBelow(join(project, 'dist'))).toEqual(before);
  });
});

describe('nx run <project>:build', () => {
  it('leaves files untouched when nothing has changed', async () => {
    const nx = () =>
      run('node_modules/.bin/nx', ['run', '@gatehouse/money:build'], {
        cwd: root,
        env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
      });
    await nx();
    const before = filesBelow(join(root, 'libs/money/dist'));
    await nx();
    expect(filesBelow(join(root, 'libs/money/dist'))).toEqual(before);
  }, 120_000);
});

/**
 * Each file below a folder with its inode and time of change: a file that was written or replaced
 * differs.
 */
const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    globSync(['**/*', '.build.json'], { cwd: folder }).flatMap((file) => {
      const { ino, mtimeMs, ctimeMs } = statSync(join(folder, file));
      return statSync(join(folder, file)).isFile() ? [[file, `${ino} ${mtimeMs} ${ctimeMs}`]] : [];
    }),
  );
