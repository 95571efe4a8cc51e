// node tools/build/emit.mjs <project>
// Emits <project>/src/**/*.ts as ES modules with source maps into <project>/dist. Types are checked elsewhere (`npm run check:types`).
import { transformFile } from '@swc/core';
import { glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { swcOptions } from './swc.mjs';

const project = process.argv[2];
const source = join(project, 'src');
const target = join(project, 'dist');

await rm(target, { recursive: true, force: true });
for await (const file of glob('**/*.ts', { cwd: source })) {
  if (/\.(test|fixture|d)\.ts$/.test(file)) continue;
  const path = join(source, file);
  const out = join(target, file.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(path, {
    ...swcOptions({ rewriteImports: true }),
    sourceMaps: true,
    sourceFileName: relative(dirname(out), path),
  });
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, `${code}\n//# sourceMappingURL=${out.split('/').at(-1)}.map\n`);
  await writeFile(`${out}.map`, map);
}
