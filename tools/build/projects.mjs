// The program of build.mjs. It writes only files with changed sources, each as a whole, so programs
// can run from `dist` during a build. `npm run check:types` checks types. `--quiet` prints only
// the projects that are built.
import { globSync, readFileSync } from 'node:fs';
import { emitProject } from './emit.mjs';
import { runStep } from './steps.mjs';

const args = process.argv.slice(2);
const isQuiet = args.includes('--quiet');
const named = args.filter((arg) => !arg.startsWith('--')).map((folder) => folder.replace(/\/+$/, ''));

const hasBuildTarget = (folder) =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).nx?.targets?.build !== undefined;
const allProjects = () =>
  globSync('{libs/*,libs/contracts/*,apps/*}/package.json')
    .map((file) => file.slice(0, -'/package.json'.length))
    .filter(hasBuildTarget)
    .sort((one, other) => other.localeCompare(one));

const projects = named.length > 0 ? named : allProjects();
const begun = performance.now();
const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
const say = (line) => process.stderr.write(`${line}\n`);

let built = 0;
try {
  for (const [index, project] of projects.entries()) {
    const { written, removed } = await emitProject(project);
    if (written + removed === 0) continue;
    built += 1;
    const counts = [`${written} modules written`, ...(removed > 0 ? [`${removed} removed`] : [])].join(', ');
    say(`[${index + 1}/${projects.length}] ${project}: ${counts} (${seconds()})`);
  }
  // Steps load libraries, so all modules are emitted first.
  for (const project of projects) {
    const hasRun = await runStep(project, (name) => say(`${project}: ${name} …`));
    if (hasRun) built += 1;
  }
  if (!isQuiet) say(built === 0 ? `Nothing to build (${seconds()})` : `Built (${seconds()})`);
} catch (error) {
  say(`The build failed: ${error.message}`);
  process.exitCode = 1;
}
